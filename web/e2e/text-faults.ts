import type { Page } from "@playwright/test";

/**
 * What is wrong with the texts and controls in the page or its open dialog, one line for each fault:
 * cut off, broken inside a word, beyond their card, over one another, or scrolling sideways.
 */
export function textFaults(page: Page): Promise<string[]> {
  return page.evaluate(findFaults);
}

/** Runs in the page. */
function findFaults(): string[] {
  /** Rounding, in pixels. */
  const SLACK = 2;
  const CONTROLS = "a, button, input, select, textarea, summary";
  /** Words that fit a line; longer ones are addresses. */
  const WORD = /^[\p{L}\d₦.,'’!?:+%]{1,14}$/u;
  /** What members write may have words of any length. */
  const WRITTEN = ".chat-text, .chat-answered, .moment-card";
  const faults = new Set<string>();

  interface Box {
    left: number;
    right: number;
    top: number;
    bottom: number;
  }
  interface Item {
    element: Element;
    isText: boolean;
    name: string;
    /** What is visible of it. */
    box: Box;
    /** What lies over the rest of the page by design is compared in itself only. */
    layer: Element | undefined;
  }

  const name = (element: Element) =>
    [element.tagName.toLowerCase(), ...element.classList].join(".");
  const quote = (text: string) => `"${text.trim().slice(0, 40)}"`;
  const hides = (overflow: string) => overflow === "hidden" || overflow === "clip";

  /** The element and its ancestors, up to the first one that does not scroll with the page. */
  function* around(element: Element): Generator<[Element, CSSStyleDeclaration]> {
    for (let each: Element | null = element; each !== null; each = each.parentElement) {
      const style = getComputedStyle(each);
      if (style.display !== "inline" && style.display !== "contents") {
        yield [each, style];
      }
      if (style.position === "fixed" || each.tagName === "DIALOG") {
        return;
      }
    }
  }

  function isShown(element: Element): boolean {
    const isVisible = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    return isVisible && ![...around(element)].some(([, { clipPath }]) => clipPath !== "none");
  }

  function layerOf(element: Element): Element | undefined {
    const found = [...around(element)].find(([, { position, zIndex }]) =>
      position === "absolute" ? zIndex !== "auto" : position === "fixed" || position === "sticky",
    );
    return found?.[0];
  }

  /** Whether the member can scroll to what is beyond the sides of this element. */
  function scrollsSideways(element: Element, { overflowX }: CSSStyleDeclaration): boolean {
    const scrolls = overflowX === "auto" || overflowX === "scroll";
    return (
      element.classList.contains("carousel-viewport") ||
      (scrolls && element.scrollWidth > element.clientWidth)
    );
  }

  const isWider = (box: Box, { left, right }: Box) =>
    box.left < left - SLACK || box.right > right + SLACK;

  /** What cuts off the sides of the box, if it does not say so with an ellipsis. */
  function cutAtSide(element: Element, box: Box): string | null {
    const isFree = (each: Element, style: CSSStyleDeclaration) =>
      scrollsSideways(each, style) || style.textOverflow === "ellipsis";
    const found = [...around(element)].find(
      ([each, style]) =>
        isFree(each, style) ||
        (hides(style.overflowX) && isWider(box, each.getBoundingClientRect())),
    );
    if (found === undefined) {
      return isWider(box, { ...box, left: 0, right: innerWidth }) ? "the window" : null;
    }
    return isFree(...found) ? null : `the side of ${name(found[0])}`;
  }

  /** What cuts off the upper or lower part of the box; a line is higher than its glyphs. */
  function cutAtEnd(element: Element, box: Box): string | null {
    const slack = (box.bottom - box.top) / 4;
    const isHigher = ({ top, bottom }: Box) => box.top < top - slack || box.bottom > bottom + slack;
    const isFree = ({ webkitLineClamp, overflowY }: CSSStyleDeclaration) =>
      webkitLineClamp !== "none" || overflowY === "auto" || overflowY === "scroll";
    const found = [...around(element)].find(
      ([each, style]) =>
        isFree(style) || (hides(style.overflowY) && isHigher(each.getBoundingClientRect())),
    );
    return found === undefined || isFree(found[1]) ? null : `the end of ${name(found[0])}`;
  }

  function checkCut(what: string, element: Element, box: Box): void {
    const by = cutAtSide(element, box) ?? cutAtEnd(element, box);
    if (by !== null) {
      faults.add(`${what} is cut off by ${by}`);
    }
  }

  function visiblePart(element: Element, { left, right, top, bottom }: Box): Box {
    const part = { left, right, top, bottom };
    for (const [each, { overflowX }] of around(element)) {
      if (overflowX !== "visible") {
        const edge = each.getBoundingClientRect();
        part.left = Math.max(part.left, edge.left);
        part.right = Math.min(part.right, edge.right);
        part.top = Math.max(part.top, edge.top);
        part.bottom = Math.min(part.bottom, edge.bottom);
      }
    }
    return part;
  }

  /** The middle of a line, which its glyphs fill. */
  function glyphsOf(element: Element, { left, right, top, bottom }: Box): Box {
    const size = Number.parseFloat(getComputedStyle(element).fontSize);
    const middle = (top + bottom) / 2;
    return { left, right, top: middle - size / 3, bottom: middle + size / 3 };
  }

  function checkWords(element: Element, node: Node, range: Range): void {
    const text = node.textContent ?? "";
    for (const { 0: word, index } of text.matchAll(/\S+/g)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const boxes = [...range.getClientRects()].filter(({ width }) => width > 0);
      const lines = new Set(boxes.map(({ top }) => Math.round(top)));
      if (lines.size > 1 && WORD.test(word) && element.closest(WRITTEN) === null) {
        faults.add(`${quote(word)} in ${name(element)} breaks`);
      }
      for (const box of boxes) {
        checkCut(`${quote(word)} of ${quote(text)} in ${name(element)}`, element, box);
      }
    }
  }

  function textsIn(root: Element): Item[] {
    const items: Item[] = [];
    const range = document.createRange();
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      const text = node.textContent ?? "";
      const isElsewhere = element?.closest("svg, select, textarea, script, style") != null;
      if (element === null || text.trim() === "" || isElsewhere || !isShown(element)) {
        continue;
      }
      checkWords(element, node, range);
      range.selectNodeContents(node);
      for (const line of range.getClientRects()) {
        const box = visiblePart(element, glyphsOf(element, line));
        items.push({ element, isText: true, name: quote(text), box, layer: layerOf(element) });
      }
    }
    return items;
  }

  function controlsIn(root: Element): Item[] {
    return [...root.querySelectorAll(CONTROLS)]
      .filter((element) => isShown(element) && getComputedStyle(element).display !== "inline")
      .map((element) => {
        const label = element.getAttribute("aria-label") ?? element.textContent ?? "";
        const what = `${name(element)} ${quote(label)}`;
        const whole = element.getBoundingClientRect();
        checkCut(what, element, whole);
        const box = visiblePart(element, whole);
        return { element, isText: false, name: what, box, layer: layerOf(element) };
      });
  }

  const isFilled = ({ backgroundColor, borderLeftWidth }: CSSStyleDeclaration) =>
    backgroundColor !== "rgba(0, 0, 0, 0)" || borderLeftWidth !== "0px";

  /** Each item stays in the nearest box that the member sees, unless it is placed freely. */
  function checkCard({ element, isText, name: what, box }: Item): void {
    const isCard = (each: Element, style: CSSStyleDeclaration) =>
      (isText || each !== element) && isFilled(style);
    const found = [...around(element)].find(
      ([each, style]) => isCard(each, style) || style.position === "absolute",
    );
    if (found && isCard(...found) && isWider(box, found[0].getBoundingClientRect())) {
      faults.add(`${what} sticks out of ${name(found[0])}`);
    }
  }

  /** A field contains its own button or sign; a control contains its text. */
  function belongTogether(one: Item, other: Item): boolean {
    const [a, b] = [one.element, other.element];
    const isField = a.matches("input, select") || b.matches("input, select");
    const isPlaced = [a, b].some((each) => getComputedStyle(each).position === "absolute");
    const isNested = a.contains(b) || b.contains(a);
    const isSameText = a === b && one.name === other.name;
    return (
      (isField && isPlaced && a.parentElement === b.parentElement) ||
      (isNested && !(one.isText && other.isText)) ||
      isSameText
    );
  }

  function checkOverlap(one: Item, other: Item): void {
    const [a, b] = [one.box, other.box];
    const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    const isOver = width > SLACK && height > SLACK && one.layer === other.layer;
    if (isOver && !belongTogether(one, other)) {
      const size = `${Math.round(width)} × ${Math.round(height)}`;
      faults.add(`${one.name} and ${other.name} overlap by ${size}`);
    }
  }

  /** The page, its parts, and fields whose text neither wraps nor scrolls. */
  function checkSideways(root: Element): void {
    for (const each of [document.documentElement, ...root.querySelectorAll("*")]) {
      const { overflowX } = getComputedStyle(each);
      const isCarousel = each.classList.contains("carousel-viewport");
      const scrolls =
        each === document.documentElement || (/auto|scroll/.test(overflowX) && !isCarousel);
      const isField = each.matches("select, input[type=date]");
      const excess = each.scrollWidth - each.clientWidth;
      if ((scrolls || isField) && excess > 1 && each.clientWidth > SLACK && isShown(each)) {
        faults.add(`${name(each)} is ${excess} pixels too narrow for its content`);
      }
    }
  }

  const root = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  const items = [...textsIn(root), ...controlsIn(root)];
  for (const [index, item] of items.entries()) {
    checkCard(item);
    for (const other of items.slice(index + 1)) {
      checkOverlap(item, other);
    }
  }
  checkSideways(root);
  return [...faults];
}
