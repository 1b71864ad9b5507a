import "@/components/article-text.css";
import { createElement, Fragment, type ReactNode, useMemo } from "react";

/** The allowed elements of an article; others are dropped, their text stays. */
const TAGS = new Set([
  ...["p", "br", "hr", "h2", "h3", "h4", "h5", "h6", "em", "strong", "s", "a", "ul", "ol", "li"],
  ...["blockquote", "code", "pre", "table", "thead", "tbody", "tr", "th", "td"],
]);
const EMPTY_TAGS = new Set(["br", "hr"]);
/** The text of these is dropped, too. */
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
 * Nothing in it can run: the text is parsed into a separate document, which loads and executes
 * nothing, and rendered again from allowed elements, without any attribute but a link's address. So
 * it is safe even if the server's HTML is not.
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
  // Keyboard users scroll wide content with the keys.
  const reached = tag === "pre" ? { tabIndex: 0 } : null;
  return createElement(tag, reached, childrenOf(node));
}

/** A link to the web, to mail or to an internal path; any other address is plain text. */
function SafeLink({ href, children }: { href: string; children: ReactNode }) {
  return SAFE_LINK.test(href) ? (
    <a href={href} rel="noopener noreferrer nofollow">
      {children}
    </a>
  ) : (
    children
  );
}
