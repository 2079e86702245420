import { type Meeting, ordinary } from './meeting.ts'

/** A combination that the API rejects before anything is sent. */
export interface Refusal {
  /** The values that meet. */
  readonly values: { readonly [Name in keyof Meeting]?: readonly Meeting[Name][] }
  /** The code of the error. */
  readonly code: string
  /** What the message names. */
  readonly says: RegExp
  /** What must be so for the API to reject it; absent when it always does. */
  readonly when?: string
  /** Further values with which it does. */
  readonly example?: Partial<Meeting>
}

const LATER_VERSIONS = ['versioned', 'versioned in a union', 'kept and versioned'] as const

/** The combinations that the API rejects. */
export const refusals: readonly Refusal[] = [
  {
    values: {
      write: ['insert', 'insertOrMerge', 'insertOrReplace', 'modify', 'copyTo', 'upgradeTable'],
      condition: ['given ETag', 'stale ETag', '*'],
    },
    code: 'UnknownOption',
    says: /has no option 'etag'/,
  },
  {
    values: { write: ['deleteAll'], condition: ['given ETag', 'stale ETag'] },
    code: 'InvalidOptionValue',
    says: /etag of deleteAll .* must be '\*', or absent/,
  },
  {
    values: {
      write: [
        'insert',
        'merge',
        'replace',
        'insertOrMerge',
        'insertOrReplace',
        'delete',
        'deleteIfExists',
        'modify',
        'batch',
        'buffered',
        'execute',
        'copyTo',
        'deleteAll',
        'upgradeTable',
      ],
      guarantee: ['journal', 'exact journal'],
    },
    code: 'UnknownOption',
    says: /has no option 'journal'/,
  },
  {
    values: {
      write: ['bulk', 'tolerant bulk', 'buffered', 'copyTo', 'deleteAll', 'upgradeTable'],
      guarantee: ['idempotency key'],
    },
    code: 'UnknownOption',
    says: /has no option 'idempotencyKey'/,
  },
  {
    values: { model: ['signed'], write: ['insertOrMerge'] },
    code: 'UnsignableMerge',
    says: /the signature must cover it/,
  },
  {
    values: {
      model: ['rolling deployment', ...LATER_VERSIONS],
      write: ['merge', 'batch', 'bulk', 'tolerant bulk', 'buffered', 'execute'],
      condition: ['given ETag', '*'],
    },
    code: 'UnknownVersion',
    says: /mix two versions in one row/,
    when: 'the row has another version than the object',
    example: { beside: 'an old program' },
  },
  {
    values: { model: [...LATER_VERSIONS, 'rolling deployment'], write: ['insertOrMerge'] },
    code: 'UnknownVersion',
    says: /mix two versions in one row/,
    when: 'the row has another version than the object',
  },
  {
    values: {
      model: ['rolling deployment'],
      write: ['replace', 'insertOrReplace', 'bulk', 'tolerant bulk'],
    },
    code: 'UnknownVersion',
    says: /would lose what the later version added/,
    when: 'the row has the later version, and the program has not read it',
    example: { condition: '*' },
  },
  {
    values: {
      model: ['signed'],
      write: ['merge', 'batch', 'bulk', 'tolerant bulk', 'buffered', 'execute'],
      condition: ['given ETag', '*'],
    },
    code: 'UnsignableMerge',
    says: /the signature must cover it/,
    when: 'the ETag is not the one that the object was read with',
    example: { beside: 'a rival' },
  },
]

/** Tells whether some values contain a combination that is always rejected. */
export function isRefused(values: Partial<Meeting>): boolean {
  return refusals.some((refusal) => refusal.when === undefined && matches(refusal, values))
}

/** Tells whether an error is how the API rejects these values. */
export function isRefusal(values: Meeting, error: unknown): boolean {
  const { code, message }: { code?: string; message?: string } = Object(error)
  return refusals.some(
    (refusal) =>
      matches(refusal, values) && refusal.code === code && refusal.says.test(String(message)),
  )
}

/** Tells whether values have all those of a refusal. */
export function matches({ values: named }: Refusal, values: Partial<Meeting>): boolean {
  return Object.entries(named).every(([name, refused]) => {
    const value = values[name as keyof Meeting]
    return value !== undefined && (refused as readonly string[]).includes(value)
  })
}

/** Returns the cells of a refusal, one for each combination of its values. */
export function combinationsOf({ values, example }: Refusal): readonly Meeting[] {
  return Object.entries(values).reduce<readonly Meeting[]>(
    (cells, [name, refused]) =>
      refused.flatMap((value) => cells.map((cell): Meeting => ({ ...cell, [name]: value }))),
    [{ ...ordinary, ...example }],
  )
}
