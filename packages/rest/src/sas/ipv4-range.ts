/** IPv4 addresses from one to another, both included, as numbers. */
export interface Ipv4Range {
  /** The first address: its four bytes as one number, the first byte highest. */
  readonly low: number
  /** The last address; the same as `low` for one address. */
  readonly high: number
}

/** Four numbers from 0 to 255. A leading zero is invalid, because some programs read it as octal. */
const ADDRESS = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/

/**
 * Parses an IPv4 address.
 *
 * @param text - such as `168.1.5.60`
 * @returns its four bytes as one number; `undefined` for anything else, such as `01.2.3.4`
 */
export function parseIpv4(text: string): number | undefined {
  if (!ADDRESS.test(text)) return undefined
  return text.split('.').reduce((number, part) => number * 256 + Number(part), 0)
}

/**
 * Parses the `sip` of a shared access signature: one IPv4 address, or two with a dash between, the
 * lower one first.
 *
 * @param text - such as `168.1.5.60-168.1.5.70`
 * @returns `undefined` for anything else
 *
 * @example
 * ```ts
 * parseIpv4Range('0.0.0.1-0.0.1.0') // { low: 1, high: 256 }
 * ```
 */
export function parseIpv4Range(text: string): Ipv4Range | undefined {
  const [first = '', last = first, ...others] = text.split('-')
  const low = parseIpv4(first)
  const high = parseIpv4(last)
  if (low === undefined || high === undefined || others.length > 0 || low > high) return undefined
  return { low, high }
}
