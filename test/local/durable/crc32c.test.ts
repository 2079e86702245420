import { describe, expect, it } from 'vitest'
import { crc32c } from '../../../packages/local/src/durable/open-engine.ts'

describe('crc32c', () => {
  it.each([
    ['123456789', 0xe3069283],
    ['\0'.repeat(32), 0x8a9136aa],
    ['', 0],
  ])('is the CRC-32C of %j', (text, expected) => {
    expect(crc32c(Buffer.from(text))).toBe(expected)
  })
})
