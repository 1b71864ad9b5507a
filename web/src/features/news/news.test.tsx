import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { serveTheGames } from "@/test/games";
import { openAppAsMember } from "@/test/render";

beforeEach(serveTheGames);

test("the carousel holds placeholders that say so, without pagination", async () => {
  openAppAsMember("/news");

  const row = await screen.findByRole("region", { name: "The paper to come" });

  const cards = within(row).getAllByRole("article");
  expect(cards).toHaveLength(6);
  for (const card of cards) {
    expect(card).toHaveTextContent("Placeholder");
  }
  expect(screen.getByText(/^The news desk has not opened yet/)).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: /carousel/ })).toBeNull();
  expect(screen.getByRole("button", { name: "Previous" })).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Next" })).toBeInTheDocument();
});

test("Today's Headlines are two placeholders whose Read More does nothing", async () => {
  openAppAsMember("/news");

  const headlines = await screen.findByRole("region", { name: "Today's Headlines" });

  for (const button of within(headlines).getAllByRole("button", { name: "Read More" })) {
    expect(button).toBeDisabled();
  }
  expect(within(headlines).getAllByRole("listitem")).toHaveLength(2);
});

test("the leader board of the club stands beside them", async () => {
  openAppAsMember("/news");

  const table = await screen.findByRole("table");

  expect(within(table).getByText(/Musa Bello/)).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "View all" })).toHaveAttribute("href", "/leaderboard");
});
