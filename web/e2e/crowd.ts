import { type APIRequestContext, expect } from "@playwright/test";
import { io, type Socket } from "socket.io-client";
import { mailedCode, newPerson, PASSWORD } from "./world.ts";

/** The server accepts this many messages at once, then requires a pause of five seconds. */
const AT_ONCE = 5;
const PAUSE_MS = 5100;

/** A member of the crowd: signed up, activated and signed in over HTTP. */
export interface Fan {
  email: string;
  id: string;
  token: string;
  clubName: string;
}

/** A new member who has joined the chat. */
export async function newFan(request: APIRequestContext): Promise<Fan> {
  const person = newPerson("crowd");
  const clubs = (await (await request.get("/api/v1/clubs")).json()).data;
  const signedUp = await request.post("/api/v1/signup", {
    // Of a club whose chat and boards no test looks at.
    data: { ...person, password: PASSWORD, club: clubs.at(-1).id, tnc: true },
  });
  expect(signedUp.status()).toBe(201);
  const { id } = (await signedUp.json()).data;
  const code = await mailedCode(person.email);
  await request.post(`/api/v1/signup/activate/${id}`, { data: { code } });
  const signedIn = await request.post("/api/v1/sign-in/username-password", {
    data: { username: person.email, password: PASSWORD },
  });
  const { user, access_token: token } = (await signedIn.json()).data;
  const joined = await request.post("/api/v1/join-chat", {
    data: { clubName: user.clubName, id },
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(joined.status()).toBe(200);
  return { email: person.email, id, token, clubName: user.clubName };
}

/** Let every fan post this many messages in Public, as fast as the limit allows. */
export async function fillPublic(fans: Fan[], each: number, base: string): Promise<void> {
  await Promise.all(fans.map((fan, index) => postMany(fan, `Fan ${index + 1}`, each, base)));
}

/** Let a fan post a message in their club's room; returns the message. */
export async function postOne(fan: Fan, text: string, base: string): Promise<{ id: string }> {
  const socket = connect(fan, base);
  try {
    return await post(socket, fan.clubName, text);
  } finally {
    socket.close();
  }
}

function connect(fan: Fan, base: string): Socket {
  return io(`${base}/chat`, {
    auth: { token: fan.token },
    query: { userId: fan.id },
    transports: ["websocket"],
    forceNew: true,
  });
}

async function postMany(fan: Fan, name: string, count: number, base: string): Promise<void> {
  const socket = connect(fan, base);
  try {
    for (let sent = 0; sent < count; sent += 1) {
      if (sent > 0 && sent % AT_ONCE === 0) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
      await post(
        socket,
        "Public",
        `${name}, chant ${sent + 1}: up, up and away with the long ball`,
      );
    }
  } finally {
    socket.close();
  }
}

async function post(socket: Socket, club: string, text: string): Promise<{ id: string }> {
  const content = { club, chat_message: text, client_id: crypto.randomUUID() };
  const answer = await socket.timeout(60_000).emitWithAck("message", content);
  expect(answer, text).toMatchObject({ status: 200 });
  return answer.data;
}
