import { sha256 as hash } from '@noble/hashes/sha2'
import type * as node from '../../crypto/hash.ts'

// In JavaScript, because WebCrypto has no synchronous calls and a merge reads a row without waiting.

/** Hashes bytes with SHA-256: 32 bytes. */
export const sha256: typeof node.sha256 = (content) => hash(content)
