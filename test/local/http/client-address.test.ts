import { describe, expect, it } from 'vitest'
import { LOOPBACK } from '../../../packages/local/src/delivery/delivery.ts'
import { clientAddress } from '../../../packages/local/src/http/incoming-request.ts'

describe('clientAddress', () => {
  it.each([
    ['168.1.5.60', '168.1.5.60'],
    ['::ffff:168.1.5.60', '168.1.5.60'],
    ['::FFFF:168.1.5.60', '168.1.5.60'],
    ['::1', LOOPBACK],
    ['2001:db8::1', '2001:db8::1'],
    [undefined, ''],
  ])('returns %s as %s', (remoteAddress, expected) => {
    expect(clientAddress({ remoteAddress })).toBe(expected)
  })
})
