import { afterEach, beforeAll, expect, test } from "vitest";
import { fetchLostStyles, followLostStyles } from "@/app/lost-styles";

const sheets = () => [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];

function lose(href: string): HTMLLinkElement {
  const link = document.createElement("link");
  Object.assign(link, { rel: "stylesheet", href });
  document.head.append(link);
  link.dispatchEvent(new Event("error"));
  return link;
}

beforeAll(followLostStyles);
afterEach(() => sheets().map((sheet) => sheet.remove()));

test("a lost style sheet is asked for in its place, under a new address, until it is there", async () => {
  lose("/assets/calendar-screen.css");

  const second = fetchLostStyles();
  sheets()[0]?.dispatchEvent(new Event("error"));
  await expect(second).rejects.toThrow("did not come");
  const third = fetchLostStyles();
  sheets()[0]?.dispatchEvent(new Event("load"));
  await third;

  expect(sheets()).toHaveLength(1);
  expect(sheets()[0]?.href).toMatch(/\/assets\/calendar-screen\.css\?again=\d+$/);
});

test("where nothing is lost nothing is asked for", async () => {
  const link = lose("/assets/match.css");
  const again = fetchLostStyles();
  sheets()[0]?.dispatchEvent(new Event("load"));
  await again;

  await fetchLostStyles();

  expect(sheets()).toHaveLength(1);
  expect(sheets()[0]).not.toBe(link);
});
