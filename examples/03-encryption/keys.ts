import { type EncryptionKeys, encryptionKeys, type SigningKeys, signingKeys } from 'rowkey'

/** In a program these come from a vault; here they are as random as those. */
const fromVault = (): Uint8Array => crypto.getRandomValues(new Uint8Array(32))

const lastYear = fromVault()

/** The keys as they were. */
export const oldKeys: EncryptionKeys = encryptionKeys({
  current: '2025',
  keys: { '2025': lastYear },
})

/** The keys after a rotation: what the old one encrypted can still be read. */
export const keys: EncryptionKeys = encryptionKeys({
  current: '2026',
  keys: { '2025': lastYear, '2026': fromVault() },
})

/** What rows are signed with. */
export const signing: SigningKeys = signingKeys({ current: 's1', keys: { s1: fromVault() } })
