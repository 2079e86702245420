import { createHash } from 'node:crypto'

/** Hashes bytes with SHA-256: 32 bytes. */
export function sha256(content: Uint8Array): Uint8Array {
  return createHash('sha256').update(content).digest()
}
