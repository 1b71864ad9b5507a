import "@/components/article-text.css";
import { createElement, Fragment, type ReactNode, useMemo } from "react";

/** What an article is made of; everything else is dropped, what stands in it stays as text. */
const TAGS = new Set([
  ...["p", "br", "hr", "h2", "h3", "h4", "h5", "h6", "em", "strong", "s", "a", "ul", "ol", "li"],
  ...["blockquote", "code", "pre", "table", "thead", "tbody", "tr", "th", "td"],
]);
const EMPTY_TAGS = new Set(["br", "hr"]);
/** Of these not even the text is shown. */
const UNSEEN = new Set([
  "script",
  "style",
  "template",
  "noscript",
  "iframe",
  "object",
  "svg",
  "math",
]);
const SAFE_LINK = /^(?:https?:\/\/[^/\\]|mailto:[^/\\]|\/(?![/\\]))/i;

/**
 * An article that the server has rendered and sanitised.
 *
 * Nothing of it can run: the text is parsed into a document of its own, which loads and executes
 * nothing, and drawn anew as elements of this list, without any attribute but a link's address. So
 * it is safe even if what the server sends were not.
 */
export function ArticleText({ html }: { html: string }) {
  const nodes = useMemo(() => {
    const parsed = new DOMParser().parseFromString(html, "text/html");
    return childrenOf(parsed.body);
  }, [html]);
  return <div className="article-text">{nodes}</div>;
}

function childrenOf(parent: Node): ReactNode[] {
  return [...parent.childNodes].map((node, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the text is drawn as a whole
    <Fragment key={place}>{drawn(node)}</Fragment>
  ));
}

function drawn(node: Node): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) {
    return node.textContent;
  }
  if (!(node instanceof Element)) {
    return null;
  }
  const tag = node.localName;
  if (UNSEEN.has(tag)) {
    return null;
  }
  if (!TAGS.has(tag)) {
    return childrenOf(node);
  }
  if (EMPTY_TAGS.has(tag)) {
    return createElement(tag);
  }
  if (tag === "a") {
    return <SafeLink href={node.getAttribute("href") ?? ""}>{childrenOf(node)}</SafeLink>;
  }
  if (tag === "table") {
    return (
      <div className="article-table">
        <table>{childrenOf(node)}</table>
      </div>
    );
  }
  // Whoever has no pointer scrolls what is too wide with the keys.
  const reached = tag === "pre" ? { tabIndex: 0 } : null;
  return createElement(tag, reached, childrenOf(node));
}

/** A link to the web, to mail or to one of our own paths; any other address is only text. */
function SafeLink({ href, children }: { href: string; children: ReactNode }) {
  return SAFE_LINK.test(href) ? (
    <a href={href} rel="noopener noreferrer nofollow">
      {children}
    </a>
  ) : (
    children
  );
}
