import { DEVELOPMENT_ACCOUNT } from '@rowkey/rest'

interface SasVector {
  readonly title: string
  readonly parameters: Readonly<Record<string, string>>
  readonly text: string
  readonly signature: string
}

const se = '2099-01-01T00:00:00Z'
const table = `/table/${DEVELOPMENT_ACCOUNT}/mytable`

/**
 * Signatures of table SAS under the emulator's well-known key. Those of 2019 were accepted by a
 * running emulator and equal the official client's.
 */
export const tableSignatures: readonly SasVector[] = [
  {
    title: 'everything on a whole table',
    parameters: { sv: '2019-02-02', tn: 'MyTable', sp: 'raud', se },
    text: `raud\n\n${se}\n${table}\n\n\n\n2019-02-02\n\n\n\n`,
    signature: 'N+AEqrA2n1DT65bJNJQ0xdFwjijjcdKRYIdVKIRz9X0=',
  },
  {
    title: 'reading a range of keys, from a start on',
    parameters: {
      sv: '2019-02-02',
      tn: 'MyTable',
      sp: 'r',
      st: '2020-01-01T00:00:00Z',
      se,
      spr: 'https,http',
      spk: 'a',
      srk: '1',
      epk: 'b',
      erk: '2',
    },
    text: `r\n2020-01-01T00:00:00Z\n${se}\n${table}\n\n\nhttps,http\n2019-02-02\na\n1\nb\n2`,
    signature: 'OYOPKY12Kbt92ZiT0u+WZUK9yXmgFKHGpv5pWFlADVw=',
  },
  {
    title: 'a version before sip and spr, and before the service stood in the resource',
    parameters: { sv: '2013-08-15', tn: 'MyTable', sp: 'r', se },
    text: `r\n\n${se}\n/${DEVELOPMENT_ACCOUNT}/mytable\n\n2013-08-15\n\n\n\n`,
    signature: '9g6ZczIklN8aB/9HwrZIhLfXKDbr8EXLE2p8S7+Sfbk=',
  },
]

/** Signatures of account SAS under the same key; a running emulator accepted both. */
export const accountSignatures: readonly SasVector[] = [
  {
    title: 'everything of the table service',
    parameters: { sv: '2019-02-02', ss: 't', srt: 'sco', sp: 'rwdlau', se },
    text: `${DEVELOPMENT_ACCOUNT}\nrwdlau\nt\nsco\n\n${se}\n\n\n2019-02-02\n`,
    signature: '1f2RBT4/GDDLcbDYDcJHEVh8r0WUFwGsEgHrfLe0gxA=',
  },
  {
    title: 'a version that signs an encryption scope too',
    parameters: { sv: '2020-12-06', ss: 't', srt: 'sco', sp: 'rwdlau', se },
    text: `${DEVELOPMENT_ACCOUNT}\nrwdlau\nt\nsco\n\n${se}\n\n\n2020-12-06\n\n`,
    signature: 'xrkUP4iLfFOfeLGI7BjbrR1NmA1zQmyQ5f0iDsZuGMw=',
  },
]
