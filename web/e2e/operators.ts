import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import path from "node:path";
import { promisify } from "node:util";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { newFan } from "./crowd.ts";
import { PASSWORD } from "./world.ts";

const PYTHON = process.env["PYTHON"] ?? "python3";
const STEP_SECONDS = 30;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** An operator of the back office, with the secret of their authenticator. */
export interface Operator {
  email: string;
  secret: string;
}

/** Make a member an operator, as on the server's command line. */
export async function makeOperator(email: string, ...roles: string[]): Promise<Operator> {
  const named = roles.flatMap((role) => ["--role", role]);
  const { stdout } = await promisify(execFile)(
    PYTHON,
    [path.resolve("../run.py"), "console", "make-operator", email, ...named],
    { env: { ...process.env, PORT: process.env["E2E_PORT"], VAR_DIR: process.env["E2E_VAR_DIR"] } },
  );
  const secret = /[?&]secret=([A-Z2-7]+)/.exec(stdout)?.[1];
  expect(secret, stdout).toBeDefined();
  return { email, secret: secret ?? "" };
}

/** A new operator with all rights: other tests change the demo's operator. */
export async function newOwner(request: APIRequestContext): Promise<Operator> {
  return makeOperator((await newFan(request)).email, "owner");
}

/** Sign in at the back office, as an operator does. */
export async function enterOffice(page: Page, operator: Operator): Promise<void> {
  await page.goto("/admin/sign-in");
  await page.getByLabel("Email").fill(operator.email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Code").fill(codeOf(operator.secret));
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Today" })).toBeVisible();
}

/** Call the back office for setup that the story is not about. */
export async function atTheOffice<Data>(
  page: Page,
  call: string,
  data: object,
  method = "POST",
): Promise<Data> {
  const token = await page.evaluate(() => JSON.parse(sessionStorage["operator"]).token);
  const answer = await page.request.fetch(`/api/v1/admin/${call}`, {
    method,
    data,
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  return (await answer.json()).data;
}

/** Return a function that sets how many seconds the season's next questions may take. */
export async function questionTimer(
  request: APIRequestContext,
): Promise<(seconds: number) => Promise<void>> {
  const { email, secret } = await newOwner(request);
  const entered = await request.post("/api/v1/admin/sign-in", {
    data: { email, password: PASSWORD, code: codeOf(secret) },
  });
  expect(entered.ok(), await entered.text()).toBe(true);
  const headers = { Authorization: `Bearer ${(await entered.json()).data.token}` };
  return async (seconds) => {
    const listed = await request.get("/api/v1/admin/seasons", { headers });
    const now = Date.now();
    const season = (await listed.json()).data.rows.find(
      (one: { startsAt: string; endsAt: string }) =>
        Date.parse(one.startsAt) <= now && now < Date.parse(one.endsAt),
    );
    const changed = await request.put(`/api/v1/admin/seasons/${season.id}`, {
      headers,
      data: {
        name: season.name,
        startsAt: season.startsAt,
        endsAt: season.endsAt,
        pointPerQuestion: season.pointPerQuestion,
        questionTimeLimit: seconds,
        questionsPerDay: season.questionsPerDay,
        ranks: season.ranks,
      },
    });
    expect(changed.ok(), await changed.text()).toBe(true);
  };
}

/** The authenticator's current code (RFC 6238, SHA-1). */
function codeOf(secret: string): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0"));
  const bytes = bits.join("").match(/.{8}/g) ?? [];
  const key = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  const moment = Buffer.alloc(8);
  moment.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1000 / STEP_SECONDS)));
  const digest = createHmac("sha1", key).update(moment).digest();
  const offset = digest.readUInt8(digest.length - 1) % 16;
  const number = digest.readUInt32BE(offset) % 2 ** 31;
  return String(number % 1_000_000).padStart(6, "0");
}
