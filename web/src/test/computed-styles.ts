/** The attributes that the browser's own style sheet looks at. */
const CHANGE_STYLES = ["hidden", "open", "type", "popover", "multiple", "size", "dir", "align"];

const computeStyle = window.getComputedStyle;
const styles = new Map<string, CSSStyleDeclaration>();

// jsdom goes through every rule of the browser's style sheet each time it is asked for a style, and
// parses all values anew, which was a third of a screen test's CPU time. Documents of tests have no
// style sheets, so elements that are alike to those rules have the same style, unless it is inline.
window.getComputedStyle = (element, pseudo) => {
  if (pseudo || document.styleSheets.length > 0 || hasInlineStyle(element)) {
    return computeStyle(element, pseudo);
  }
  const alike = [
    element.localName,
    element.parentElement?.localName,
    ...CHANGE_STYLES.map((name) => element.getAttribute(name)),
  ].join();
  const style = styles.get(alike) ?? computeStyle(element);
  styles.set(alike, style);
  return style;
};

/** Whether a style is written on the element, or on one that it inherits from. */
function hasInlineStyle(element: Element | null): boolean {
  return (
    element !== null && (element.hasAttribute("style") || hasInlineStyle(element.parentElement))
  );
}
