import { ACCOUNT, sign } from './local-conversation.ts'

type Fields = Readonly<Record<string, string | undefined>>

/** Later than every conversation's clock. */
const LATER = '2026-11-20T13:00:00Z'

/**
 * Returns a signature on the table `people` that allows everything for an hour; `fields` change it.
 */
export function tableSas(fields: Fields = {}): string {
  const all = { sv: '2019-02-02', tn: 'people', sp: 'raud', se: LATER, ...fields }
  const resource = `/table/${ACCOUNT}/${all.tn.toLowerCase()}`
  const later = ['si', 'sip', 'spr', 'sv', 'spk', 'srk', 'epk', 'erk']
  return printSas(all, [...valuesOf(all, ['sp', 'st', 'se']), resource, ...valuesOf(all, later)])
}

/** Returns a signature on the account that allows everything for an hour; `fields` change it. */
export function accountSas(fields: Fields = {}): string {
  const all = { sv: '2019-02-02', ss: 't', srt: 'sco', sp: 'rwdlacup', se: LATER, ...fields }
  const names = ['sp', 'ss', 'srt', 'st', 'se', 'sip', 'spr', 'sv']
  return printSas(all, [ACCOUNT, ...valuesOf(all, names), ''])
}

function valuesOf(fields: Fields, names: readonly string[]): string[] {
  return names.map((name) => fields[name] ?? '')
}

function printSas(fields: Fields, lines: readonly string[]): string {
  const given = Object.entries({ ...fields, sig: fields.sig ?? sign(lines.join('\n')) })
  return given
    .flatMap(([name, text]) => (text === undefined ? [] : `${name}=${encodeURIComponent(text)}`))
    .join('&')
}
