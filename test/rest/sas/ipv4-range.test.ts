import { parseIpv4, parseIpv4Range } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('parseIpv4', () => {
  it.each([
    ['0.0.0.0', 0],
    ['0.0.1.2', 258],
    ['255.255.255.255', 2 ** 32 - 1],
  ])('reads %s', (text, number) => {
    expect(parseIpv4(text)).toBe(number)
  })

  it.each(['', '1.2.3', '1.2.3.4.', '256.1.1.1', '01.2.3.4', '1.2.3.00', '::1', '1.2.3.4 '])(
    'rejects %j',
    (text) => {
      expect(parseIpv4(text)).toBeUndefined()
    },
  )
})

describe('parseIpv4Range', () => {
  it.each([
    ['168.1.5.65', { low: 0xa8010541, high: 0xa8010541 }],
    ['168.1.5.60-168.1.5.70', { low: 0xa801053c, high: 0xa8010546 }],
    ['0.0.0.0-255.255.255.255', { low: 0, high: 2 ** 32 - 1 }],
    ['9.9.9.9-10.0.0.0', { low: 0x09090909, high: 0x0a000000 }],
  ])('reads %s', (text, range) => {
    expect(parseIpv4Range(text)).toEqual(range)
  })

  const open = ['1.2.3.4-', '-1.2.3.4', '1.2.3-1.2.3.4', '1.2.3.4-1.2.3.05']
  it.each(['', '1.2.3', '01.2.3.4', ...open, '2.0.0.0-1.0.0.0', '1.2.3.4-1.2.3.5-1.2.3.6'])(
    'rejects %j',
    (text) => {
      expect(parseIpv4Range(text)).toBeUndefined()
    },
  )
})
