/** IPv4 addresses from one to another, both included, as numbers. */
export interface AddressRange {
  /** The first address: its four bytes as one number, the first byte highest. */
  readonly low: number
  /** The last address, likewise; the same as `low` for one address. */
  readonly high: number
}

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/

/** Reads `168.1.5.60` or `168.1.5.60-168.1.5.70`; `undefined` when it is neither. */
export function parseAddressRange(text: string): AddressRange | undefined {
  const [first = '', last = first, ...others] = text.split('-')
  const low = parseAddress(first)
  const high = parseAddress(last)
  if (low === undefined || high === undefined || others.length > 0) return undefined
  return { low, high }
}

/** Whether an address is in the range; an IPv6 one never is. */
export function isWithin({ low, high }: AddressRange, address: string): boolean {
  const number = parseAddress(address)
  return number !== undefined && low <= number && number <= high
}

function parseAddress(text: string): number | undefined {
  if (!IPV4.test(text)) return undefined
  return text.split('.').reduce((number, part) => number * 256 + Number(part), 0)
}
