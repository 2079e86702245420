import { equalBytes as equalInTime } from '@noble/ciphers/utils'
import { hmac } from '@noble/hashes/hmac'
import { sha256 } from '@noble/hashes/sha2'
import type * as node from '../../crypto/mac.ts'

// Apart from the hash, which pages need without it.

/** Authenticates bytes with HMAC-SHA-256: 32 bytes. */
export const hmacSha256: typeof node.hmacSha256 = (key, content) => hmac(sha256, key, content)

/** Compares bytes in a time that does not depend on where they differ. */
export const equalBytes: typeof node.equalBytes = (left, right) => equalInTime(left, right)
