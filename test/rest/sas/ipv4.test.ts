import { describe, expect, it } from 'vitest'
import { checkIpRange } from '../../../packages/rest/src/sas/ipv4.ts'

describe('checkIpRange', () => {
  it.each(['168.1.5.65', '168.1.5.60-168.1.5.70', '0.0.0.0-255.255.255.255', '9.9.9.9-10.0.0.0'])(
    'takes %s',
    (ips) => {
      expect(checkIpRange(ips)).toBe(ips)
    },
  )

  it.each(['', '1.2.3', '1.2.3.4.', '256.1.1.1', '1.2.3.4-', '2.0.0.0-1.0.0.0', '1-2-3', '::1', 7])(
    'refuses %j',
    (ips) => {
      expect(() => checkIpRange(ips as string)).toThrow(
        expect.objectContaining({ code: 'InvalidSas' }),
      )
    },
  )
})
