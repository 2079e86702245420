import { restInputError } from '../errors/codes.ts'

const ADDRESS = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/

/**
 * Refuses what cannot be the `sip` of a token: one IPv4 address, or two with a dash between.
 *
 * @param ips - `'168.1.5.65'` or `'168.1.5.60-168.1.5.70'`
 * @throws {@link InputError} (`InvalidSas`)
 */
export function checkIpRange(ips: string): string {
  const bounds = typeof ips === 'string' ? ips.split('-') : []
  const [first = '', last = first] = bounds
  const isRange = bounds.length <= 2 && ADDRESS.test(first) && ADDRESS.test(last)
  if (isRange && numberOf(first) <= numberOf(last)) return ips
  throw restInputError({
    code: 'InvalidSas',
    message:
      "ips of a SAS must be an IPv4 address or two with a dash between, the lower one first: '168.1.5.60-168.1.5.70'.",
  })
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0)
}
