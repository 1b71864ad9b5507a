// The peer on Express 5 with pg: the same rows behind the same token and session, with a log line.
import { createSecretKey, randomUUID } from "node:crypto";
import express from "express";
import jwt from "jsonwebtoken";
import pg from "pg";

const REMEMBERED_MS = 30_000; // a session that was read counts as live that long, as in our server

const pool = new pg.Pool({ max: 10 });
// As a string the key would be parsed on every request, which costs 340 µs each.
const key = createSecretKey(Buffer.from(process.env.TOKEN_KEY));
const app = express();
app.disable("x-powered-by");

const SESSION = { name: "session", text: "SELECT user_id FROM session WHERE id = $1 AND expires_at > now()" };
const BALANCE = {
  name: "balance",
  text: `SELECT coalesce((SELECT balance_kobo FROM ledger_account WHERE owner_id = $1), 0) AS balance,
                (SELECT coalesce(sum(left_kobo), 0)::bigint FROM debt
                  WHERE user_id = $1 AND state = 'open') AS debt`,
};
const PRODUCTS = {
  name: "products",
  text: `SELECT p.id, p.name, p.price_kobo, p.description, p.image, p.thumbnail, p.star,
                least(coalesce(shelf.available, 0), 99)::int AS available, shelf.variants
           FROM product p CROSS JOIN LATERAL
                (SELECT sum(v.stock - v.allocated) AS available,
                        coalesce(jsonb_agg(jsonb_build_object(
                          'id', v.id, 'size', v.size, 'available', least(v.stock - v.allocated, 99),
                          'isDefault', v.is_default) ORDER BY v.position, v.id)
                          FILTER (WHERE v.size IS NOT NULL), '[]') AS variants
                   FROM product_variant v WHERE v.product_id = p.id AND NOT v.hidden) shelf
          WHERE NOT p.hidden ORDER BY p.position, p.id LIMIT 500`,
};
// What Home reads, as text and values: recorded from our own server by the benchmark.
const HOME = JSON.parse(process.env.HOME_STATEMENTS ?? "[]");
const sessions = new Map();

app.use((request, response, next) => {
  const began = process.hrtime.bigint();
  request.id = randomUUID();
  response.on("finish", () => {
    const line = {
      event: "request",
      request_id: request.id,
      method: request.method,
      route: request.route?.path ?? "other",
      status: response.statusCode,
      ms: Number(process.hrtime.bigint() - began) / 1e6,
      user_id: request.userId,
      level: "info",
      timestamp: new Date().toISOString(),
    };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  });
  next();
});

async function hasSession(userId, sessionId) {
  const found = sessions.get(sessionId);
  if (found !== undefined && found.until > Date.now()) return found.userId === userId;
  const { rows } = await pool.query({ ...SESSION, values: [sessionId] });
  if (rows.length === 0) return false;
  sessions.set(sessionId, { userId: rows[0].user_id, until: Date.now() + REMEMBERED_MS });
  return rows[0].user_id === userId;
}

async function member(request, response, next) {
  const [scheme, token] = (request.headers.authorization ?? "").split(" ");
  try {
    if (scheme !== "Bearer") throw new Error("no token");
    const options = { algorithms: ["HS256"], audience: "fanclub-api", issuer: "king-of-fans" };
    const claims = jwt.verify(token, key, options);
    if (!(await hasSession(claims.sub, claims.sid))) throw new Error("no session");
    request.userId = claims.sub;
  } catch {
    response.status(401).json({ status: 401, message: "User token is required.", data: null });
    return;
  }
  next();
}

app.get("/healthz", (_request, response) => response.json({ status: "alive" }));

app.get("/api/v1/payment/wallet-balance/:userId", member, async (request, response) => {
  if (request.userId !== request.params.userId) {
    response.status(404).json({ status: 404, message: "Not found", data: null });
    return;
  }
  const { rows } = await pool.query({ ...BALANCE, values: [request.userId] });
  const [balance, debt] = [rows[0].balance, rows[0].debt].map((kobo) => Number(kobo) / 100);
  response.json({ status: 200, message: "OK", data: { balance, debt } });
});

app.get("/api/v1/products", member, async (_request, response) => {
  const { rows } = await pool.query(PRODUCTS);
  const data = rows.map(({ price_kobo, ...row }) => ({ ...row, price: Number(price_kobo) / 100 }));
  response.json({ status: 200, message: "OK", data });
});

app.get("/api/v1/today", member, async (_request, response) => {
  const results = await Promise.all(HOME.map((statement) => pool.query(statement)));
  response.json({ status: 200, message: "OK", data: results.map(({ rows }) => rows) });
});

app.listen(Number(process.env.PORT), "127.0.0.1");
