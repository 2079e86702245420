/** Returns the FNV-1a hash of a text: a whole number from 0 up to but not including 2³². */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193)
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193)
  }
  // The low bits of this hash alone are spread badly.
  hash ^= hash >>> 16
  return hash >>> 0
}
