// The peer on Socket.IO: a signed push of scores, stored before it is sent to both clubs' rooms.
import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import jwt from "jsonwebtoken";
import pg from "pg";
import { Server } from "socket.io";

const PUSH = "/api/v1/fixtures/feed/push";
const OPTIONS = { algorithms: ["HS256"], audience: "fanclub-api", issuer: "king-of-fans" };
const SEAT = {
  name: "seat",
  text: `SELECT u.club_id FROM session s JOIN user_account u ON u.id = s.user_id
          WHERE s.id = $1 AND u.id = $2 AND s.expires_at > now()`,
};
const HELD = {
  name: "held",
  text: `SELECT id, state, home_goals, away_goals FROM bench_fixture WHERE ref = $1 FOR UPDATE`,
};
const CLUB = { name: "club", text: `SELECT id FROM club WHERE lower(name) = lower($1)` };
const CHANGE = {
  name: "change",
  text: `UPDATE bench_fixture SET state = $2, home_goals = $3, away_goals = $4,
                version = version + 1, updated_at = now(),
                phase_started_at = CASE WHEN state = $2 THEN phase_started_at ELSE now() END
          WHERE id = $1 RETURNING version, phase_started_at, kick_off_at`,
};

const pool = new pg.Pool({ max: 10 });
const key = createSecretKey(Buffer.from(process.env.TOKEN_KEY));
const http = createServer(answer);
const scores = new Server(http, { transports: ["websocket"], serveClient: false }).of("/payment");

scores.use(async (socket, next) => {
  try {
    const claims = jwt.verify(socket.handshake.auth.token, key, OPTIONS);
    const { rows } = await pool.query({ ...SEAT, values: [claims.sid, claims.sub] });
    if (rows.length === 0) throw new Error("no session");
    socket.data = { clubId: rows[0].club_id };
    next();
  } catch {
    next(new Error("User token is required."));
  }
});
scores.on("connection", (socket) => socket.join(socket.data.clubId));

async function answer(request, response) {
  if (request.url !== PUSH) {
    response.end("alive");
    return;
  }
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const raw = Buffer.concat(pieces);
  const { "x-feed-time": time, "x-feed-sequence": sequence } = request.headers;
  const stamped = Buffer.concat([Buffer.from(`${time}.${sequence}.`), raw]);
  const signed = createHmac("sha256", process.env.FEED_KEY).update(stamped).digest("hex");
  const given = String(request.headers["x-feed-signature"]);
  if (given.length !== signed.length || !timingSafeEqual(Buffer.from(given), Buffer.from(signed))) {
    response.writeHead(400).end();
    return;
  }
  const outcome = { accepted: 0, unchanged: 0, refused: [] };
  for (const row of JSON.parse(raw).rows) {
    const change = await take(row);
    outcome[change === null ? "unchanged" : "accepted"] += 1;
    if (change !== null) scores.to(change.clubs).emit("fixture_update", change.update);
  }
  const content = JSON.stringify({ status: 200, message: "OK", data: outcome });
  response.writeHead(200, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(content),
  });
  response.end(content);
}

async function take(row) {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const { rows } = await client.query({ ...HELD, values: [row.ref] });
    const clubs = [];
    for (const name of [row.home, row.away]) {
      clubs.push((await client.query({ ...CLUB, values: [name] })).rows[0].id);
    }
    const held = rows[0];
    const { state, home_goals: home, away_goals: away } = row;
    if (held.state === state && held.home_goals === home && held.away_goals === away) {
      await client.query("ROLLBACK");
      return null;
    }
    const changed = await client.query({ ...CHANGE, values: [held.id, state, home, away] });
    await client.query("COMMIT");
    const { version, phase_started_at, kick_off_at } = changed.rows[0];
    const isLess = home < held.home_goals || away < held.away_goals;
    const update = {
      id: held.id,
      version,
      what: held.state !== state ? "kick_off" : isLess ? "correction" : "goal",
      state,
      phaseStartedAt: phase_started_at.toISOString(),
      goals: { home, away },
      kickOffAt: kick_off_at.toISOString(),
      serverNow: new Date().toISOString(),
    };
    return { clubs, update };
  } finally {
    client.release();
  }
}

http.listen(Number(process.env.PORT), "127.0.0.1");
