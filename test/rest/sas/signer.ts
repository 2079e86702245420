import { DEVELOPMENT_ACCOUNT, DEVELOPMENT_KEY, SharedKeyCredential } from '@rowkey/rest'

/** The emulator's account and key. */
export const signer = new SharedKeyCredential({
  account: DEVELOPMENT_ACCOUNT,
  key: DEVELOPMENT_KEY,
})

/** A clock that stands at noon of 21 September 2021, UTC. */
export const now = (): number => Date.UTC(2021, 8, 21, 12)

/** So many minutes after {@link now}. */
export const inMinutes = (minutes: number): Date => new Date(now() + minutes * 60_000)

/** The end that the vectors have. */
export const expiry = new Date(Date.UTC(2099, 0))
