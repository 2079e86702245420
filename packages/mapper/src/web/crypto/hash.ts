import { equalBytes as equalInTime } from '@noble/ciphers/utils'
import { hmac } from '@noble/hashes/hmac'
import { sha256 as hash } from '@noble/hashes/sha2'
import type * as node from '../../crypto/hash.ts'

// In JavaScript, because WebCrypto has no synchronous calls and a merge reads a row without waiting.

/** Hashes bytes with SHA-256: 32 bytes. */
export const sha256: typeof node.sha256 = (content) => hash(content)

/** Authenticates bytes with HMAC-SHA-256: 32 bytes. */
export const hmacSha256: typeof node.hmacSha256 = (key, content) => hmac(hash, key, content)

/** Compares bytes in a time that does not depend on where they differ. */
export const equalBytes: typeof node.equalBytes = (left, right) => equalInTime(left, right)
