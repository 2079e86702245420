import {
  type EncryptionKeys,
  encryptionKeys,
  type SigningKeys,
  signingKeys,
} from 'rowkey/encryption'

/** In production, read the keys from a vault. Here they are random. */
const fromVault = (): Uint8Array => crypto.getRandomValues(new Uint8Array(32))

const lastYear = fromVault()

/** The keys of last year. */
export const oldKeys: EncryptionKeys = encryptionKeys({
  current: '2025',
  keys: { '2025': lastYear },
})

/** The keys after a rotation. Values that the old key encrypted can still be read. */
export const keys: EncryptionKeys = encryptionKeys({
  current: '2026',
  keys: { '2025': lastYear, '2026': fromVault() },
})

/** The keys that sign rows. */
export const signing: SigningKeys = signingKeys({ current: 's1', keys: { s1: fromVault() } })
