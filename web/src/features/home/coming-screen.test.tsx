import { screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { OPERATOR_SESSION } from "@/lib/device/operator-tab";
import { leaveTo } from "@/lib/ui/navigation";
import { serveTheGames } from "@/test/games";
import { openAppAsMember } from "@/test/render";
import { soon } from "@/test/soon";

beforeEach(serveTheGames);

const screens = ["/backups", "/logs"];

test.each(screens)("members find at %s what will stand there", async (path) => {
  openAppAsMember(path);

  expect(await screen.findByText(/not on the pitch yet/)).toBeInTheDocument();
  expect(leaveTo).not.toHaveBeenCalled();
});

test.each(screens)(
  "a tab of the back office goes on from %s to what stands there",
  async (path) => {
    openAppAsMember(path);
    await screen.findByText(/not on the pitch yet/);
    sessionStorage.setItem(OPERATOR_SESSION, JSON.stringify({ token: "t" }));
    openAppAsMember(path);

    await soon(() => expect(leaveTo).toHaveBeenCalledWith(`/admin${path}`));
  },
);
