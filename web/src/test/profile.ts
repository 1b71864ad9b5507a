import type { DeviceSession, Profile } from "@/api/wire";
import { aUser } from "@/test/factories";

/** The record of a member with the sign-up's fields only. */
export function aProfile(change: Partial<Profile> = {}): Profile {
  return {
    ...(aUser() as Profile),
    gender: null,
    dateOfBirth: null,
    settlementDetails: { bankCode: "", bankName: "", accountNumber: "" },
    nextOfKinsDetails: { nextOfKinsName: "", nextOfKinsPhoneNumber: "", nextOfKinsAddress: "" },
    legal: { accepted: "1.0", current: "1.0", mustAccept: false },
    ...change,
  };
}

/** The record of a member with every field. */
export function aWholeProfile(change: Partial<Profile> = {}): Profile {
  return aProfile({
    avatar: "/media/avatars/ada.webp",
    gender: "female",
    dateOfBirth: "1999-05-14",
    settlementDetails: {
      bankCode: "058",
      bankName: "Ada Grace Obi",
      accountNumber: "0123456788",
    },
    nextOfKinsDetails: {
      nextOfKinsName: "Bello Musa",
      nextOfKinsPhoneNumber: "+2348031112222",
      nextOfKinsAddress: "12 Aba Road, Umuahia",
    },
    ...change,
  });
}

export function aDevice(change: Partial<DeviceSession> = {}): DeviceSession {
  return {
    id: "session-1",
    device: "Chrome on Android",
    startedAt: "2026-11-20T12:30:00Z",
    lastSeenAt: "2026-11-21T07:05:00Z",
    current: true,
    ...change,
  };
}
