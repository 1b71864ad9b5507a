// Made from the input schemas by `python3 run.py client`; do not edit.
export const SIGN_IN_MAX_LENGTHS = { username: 254, password: 1024 };
export const SIGN_UP_MAX_LENGTHS = { firstName: 60, lastName: 60, email: 254, username: 254 };
export const PROFILE_MAX_LENGTHS = { firstName: 60, lastName: 60 };
export const SETTLEMENT_MAX_LENGTHS = { bankName: 100 };
export const NEXT_OF_KIN_MAX_LENGTHS = { nextOfKinsName: 100, nextOfKinsAddress: 300 };
export const ACCOUNT_DELETION_MAX_LENGTHS = { password: 1024 };
export const BILLING_MAX_LENGTHS = { firstName: 100, lastName: 100, phone: 20, address: 300 };
export const MOMENT_MAX_LENGTHS = { title: 120, content: 2000 };
export const CHAT_MAX_LENGTHS = { message: 1000, excerpt: 120 };
