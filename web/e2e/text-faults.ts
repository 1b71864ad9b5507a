import type { Page } from "@playwright/test";

/** What is wrong with the layout of the texts and controls in the page, one line for each fault. */
export function textFaults(page: Page): Promise<string[]> {
  return page.evaluate(findFaults);
}

/** Runs in the page. */
function findFaults(): string[] {
  /** Rounding, and the parts of a line that are higher than its glyphs. */
  const SLACK = 2;
  const CONTROLS = "a, button, input, select, textarea, summary, [role=tab], [role=option]";
  const faults: string[] = [];

  interface Box {
    left: number;
    right: number;
    top: number;
    bottom: number;
  }
  interface Item {
    element: Element;
    /** The control that the item is or is in. */
    control: Element | null;
    layer: Element;
    name: string;
    box: Box;
    isText: boolean;
  }

  const name = (element: Element) =>
    `${element.tagName.toLowerCase()}${[...element.classList].map((each) => `.${each}`).join("")}`;
  const quote = (text: string) => `"${text.trim().slice(0, 40)}"`;
  const ancestors = (element: Element): Element[] => {
    const found: Element[] = [];
    for (let each: Element | null = element; each !== null; each = each.parentElement) {
      found.push(each);
    }
    return found;
  };
  const isShown = (element: Element) =>
    element.checkVisibility({
      opacityProperty: true,
      visibilityProperty: true,
      contentVisibilityAuto: true,
    }) && !ancestors(element).some((each) => getComputedStyle(each).clipPath === "inset(50%)");
  /** The open dialog covers everything else. */
  const dialogs = [...document.querySelectorAll("dialog[open]")];
  const root = dialogs.at(-1) ?? document.body;
  /** Parts that lie over others by design are compared among themselves. */
  const layerOf = (element: Element) =>
    ancestors(element).find((each) =>
      ["fixed", "sticky"].includes(getComputedStyle(each).position),
    ) ?? document.documentElement;

  /** Whether an ancestor cuts the box off, on the screen and after scrolling. */
  function cutBy(element: Element, box: Box): string | null {
    let isFreeX = false;
    let isFreeY = false;
    for (const each of ancestors(element)) {
      const style = getComputedStyle(each);
      if (style.display === "inline" || style.display === "contents") {
        continue;
      }
      const around = each.getBoundingClientRect();
      isFreeX ||= ["auto", "scroll"].includes(style.overflowX) && each.scrollWidth > each.clientWidth;
      isFreeY ||= ["auto", "scroll"].includes(style.overflowY);
      const isStrip = each.classList.contains("carousel-viewport");
      isFreeX ||= isStrip;
      const hidesX = ["hidden", "clip"].includes(style.overflowX) && !isFreeX;
      const hidesY = ["hidden", "clip"].includes(style.overflowY) && !isFreeY;
      const isEllipsis = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
      if (hidesX && !isEllipsis && (box.right > around.right + SLACK || box.left < around.left - SLACK)) {
        return `${name(each)} at its side`;
      }
      const height = (box.bottom - box.top) / 4;
      if (hidesY && !isEllipsis && (box.bottom > around.bottom + height || box.top < around.top - height)) {
        return `${name(each)} at its end`;
      }
      if (isEllipsis && hidesX) {
        return null;
      }
      if (style.position === "fixed" || each.tagName === "DIALOG") {
        break;
      }
    }
    if (!isFreeX && (box.right > innerWidth + SLACK || box.left < -SLACK)) {
      return "the window";
    }
    return null;
  }

  /** The part of the box that no ancestor cuts off. */
  function visiblePart(element: Element, box: Box): Box {
    const part = { left: box.left, right: box.right, top: box.top, bottom: box.bottom };
    for (const each of ancestors(element)) {
      const style = getComputedStyle(each);
      const around = each.getBoundingClientRect();
      if (style.overflowX !== "visible" && style.display !== "inline") {
        part.left = Math.max(part.left, around.left);
        part.right = Math.min(part.right, around.right);
        part.top = Math.max(part.top, around.top);
        part.bottom = Math.min(part.bottom, around.bottom);
      }
      if (style.position === "fixed" || each.tagName === "DIALOG") {
        break;
      }
    }
    return part;
  }

  /** The nearest ancestor with a border or a background, unless the element is placed freely. */
  function cardOf(element: Element, isText: boolean): Element | null {
    for (const each of ancestors(element)) {
      const style = getComputedStyle(each);
      const isFilled = style.backgroundColor !== "rgba(0, 0, 0, 0)" || style.borderLeftWidth !== "0px";
      if ((isText || each !== element) && isFilled && style.display !== "inline") {
        return each;
      }
      if (style.position === "absolute" || style.position === "fixed") {
        return null;
      }
    }
    return null;
  }

  const items: Item[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent ?? "";
    if (element === null || text.trim() === "" || element.closest("svg, select, textarea, option, style, script") || !isShown(element)) {
      continue;
    }
    const range = document.createRange();
    for (const match of text.matchAll(/\S+/g)) {
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      const boxes = [...range.getClientRects()].filter(({ width }) => width > 0);
      const lines = new Set(boxes.map(({ top }) => Math.round(top)));
      if (lines.size > 1 && /^[\p{L}\d₦.,'’!?:+%]{1,14}$/u.test(match[0])) {
        faults.push(`breaks inside ${quote(match[0])} in ${name(element)}`);
      }
      for (const box of boxes) {
        const by = cutBy(element, box);
        if (by !== null) {
          faults.push(`${quote(match[0])} of ${quote(text)} in ${name(element)} is cut off by ${by}`);
        }
      }
    }
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      // Its glyphs: the line box of large type is higher.
      const size = Number.parseFloat(getComputedStyle(element).fontSize);
      const middle = (box.top + box.bottom) / 2;
      const glyphs = { left: box.left, right: box.right, top: middle - size / 3, bottom: middle + size / 3 };
      items.push({ element, control: element.closest(CONTROLS), layer: layerOf(element), name: quote(text), box: visiblePart(element, glyphs), isText: true });
    }
  }
  for (const control of root.querySelectorAll(CONTROLS)) {
    if (!isShown(control)) {
      continue;
    }
    const box = control.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) {
      continue;
    }
    const label = control.getAttribute("aria-label") ?? control.textContent ?? "";
    const inline = getComputedStyle(control).display === "inline";
    if (!inline) {
      items.push({ element: control, control, layer: layerOf(control), name: `${name(control)} ${quote(label)}`, box: visiblePart(control, box), isText: false });
      const by = cutBy(control, box);
      if (by !== null) {
        faults.push(`${name(control)} ${quote(label)} is cut off by ${by}`);
      }
    }
  }

  for (const { element, name: what, box, isText } of items) {
    const card = cardOf(element, isText);
    const around = card?.getBoundingClientRect();
    if (card && around && (box.right > around.right + SLACK || box.left < around.left - SLACK)) {
      faults.push(`${what} sticks out of ${name(card)}`);
    }
  }
  for (const [index, one] of items.entries()) {
    for (const other of items.slice(index + 1)) {
      const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      if (width <= SLACK || height <= SLACK || one.layer !== other.layer) {
        continue;
      }
      const isNested = one.element.contains(other.element) || other.element.contains(one.element);
      const isText = one.isText && other.isText;
      const isInField =
        one.element.parentElement === other.element.parentElement &&
        [one, other].some(({ element }) => element.matches("input, select")) &&
        [one, other].some(({ element }) => getComputedStyle(element).position === "absolute");
      if ((isNested && !isText) || isInField) {
        continue;
      }
      if (isText && one.element === other.element && one.name === other.name) {
        continue;
      }
      faults.push(`${one.name} overlaps ${other.name} by ${Math.round(width)} x ${Math.round(height)}`);
    }
  }

  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) {
    const widest = [...document.body.querySelectorAll("*")]
      .filter((each) => isShown(each) && each.getBoundingClientRect().right > page.clientWidth + 1)
      .map(name);
    faults.push(`scrolls sideways by ${page.scrollWidth - page.clientWidth}: ${widest.slice(0, 5).join(", ")}`);
  }
  for (const each of root.querySelectorAll("*")) {
    const { overflowX } = getComputedStyle(each);
    if (["auto", "scroll"].includes(overflowX) && each.scrollWidth > each.clientWidth + 1 && isShown(each)) {
      faults.push(`${name(each)} scrolls sideways by ${each.scrollWidth - each.clientWidth}`);
    }
    if (each.matches("select, input[type=date]")) {
      if (each.scrollWidth > each.clientWidth + 1 && isShown(each) && each.clientWidth > 2) faults.push(`${name(each)} is too narrow for its text`);
    }
  }
  return [...new Set(faults)];
}
