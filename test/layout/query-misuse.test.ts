import { beforeAll, describe, expect, it } from 'vitest'
import { checkSample } from './type-sample.ts'

const PREAMBLE = `import { anyOf, between, bindQuery, gt, startsWith, type QueryModel, type QuerySource } from '@rowkey/query'
import { filter } from '@rowkey/odata'
class Customer {
  lastName!: string
  state?: 'open' | 'closed'
  age?: number
  points?: bigint
  active?: boolean
  since?: Date
  photo?: Uint8Array
}
const query = bindQuery({} as QueryModel, {} as QuerySource<Customer>)
`

/** Wrong lines, and a part of the compiler's message for each. */
const mistakes: readonly [line: string, says: string][] = [
  [
    `query.where((c) => c.age.gt('30'))`,
    "Argument of type 'string' is not assignable to parameter of type 'number'.",
  ],
  [
    `query.where((c) => c.points.gt(100))`,
    "Argument of type 'number' is not assignable to parameter of type 'bigint'.",
  ],
  [
    `query.where((c) => c.since.lt('2026-01-01'))`,
    "Argument of type 'string' is not assignable to parameter of type 'Date'.",
  ],
  [
    `query.where((c) => c.photo.eq('AQ=='))`,
    "Argument of type 'string' is not assignable to parameter of type 'Uint8Array",
  ],
  [
    `query.where((c) => c.active.eq('true'))`,
    "Argument of type 'string' is not assignable to parameter of type 'boolean'.",
  ],
  [
    `query.where((c) => c.state.eq('opne'))`,
    `Argument of type '"opne"' is not assignable to parameter of type`,
  ],
  [
    `query.where((c) => c.lastName.eq(null))`,
    "Argument of type 'null' is not assignable to parameter of type 'string'.",
  ],
  [
    `query.where((c) => c.age.between(1, '2'))`,
    "Argument of type 'string' is not assignable to parameter of type 'number'.",
  ],
  [`query.where((c) => c.age.in([1, '2']))`, "Type 'string' is not assignable to type 'number'."],
  [
    `query.where((c) => c.age.in(1))`,
    "Argument of type 'number' is not assignable to parameter of type 'readonly number[]'.",
  ],
  [
    `query.where((c) => c.age.startsWith('3'))`,
    "Property 'startsWith' does not exist on type 'ComparableField<number>'.",
  ],
  [
    `query.where((c) => c.lastname.eq('Smith'))`,
    "Property 'lastname' does not exist on type 'QueryFields<QueryShape<Customer>>'. Did you mean 'lastName'?",
  ],
  [
    `query.where((c) => c.age)`,
    "Type 'ComparableField<number>' is not assignable to type 'ConditionLike'.",
  ],
  [`query.where((c) => !c.active)`, "Type 'boolean' is not assignable to type 'ConditionLike'."],
  [
    `query.where((c) => { c.age.gt(30) })`,
    "Type 'void' is not assignable to type 'ConditionLike'.",
  ],
  [`query.where({ age: '30' })`, "Type 'string' is not assignable to type 'number | PropertyTest"],
  [`query.where({ age: gt('30') })`, "Type 'string' is not assignable to type 'number'."],
  [`query.where({ age: startsWith('3') })`, "Type 'string' is not assignable to type 'number'."],
  [`query.where({ state: anyOf(['opne']) })`, `Type '"opne"' is not assignable to type`],
  [`query.where({ points: between(1, 2) })`, "Type 'number' is not assignable to type 'bigint'."],
  [
    `query.where({ lastname: 'Smith' })`,
    "Object literal may only specify known properties, and 'lastname' does not exist",
  ],
  [
    `query.where({ lastName: undefined })`,
    "Type 'undefined' is not assignable to type 'string | PropertyTest<string>'.",
  ],
  [
    `query.where('age gt 30')`,
    "Argument of type 'string' is not assignable to parameter of type 'WhereCondition<",
  ],
  [`query.where(filter\`age gt \${null}\`)`, "Argument of type 'null' is not assignable"],
  [`query.where(filter\`age gt \${{}}\`)`, "Argument of type '{}' is not assignable"],
  [`query.select('lastname')`, `Argument of type '"lastname"' is not assignable`],
  [
    `query.filterLocally((c) => c.nme === 'x')`,
    "Property 'nme' does not exist on type 'Customer'.",
  ],
  [
    `query.filterLocally({ age: '30' })`,
    "Type 'string' is not assignable to type 'number | PropertyTest",
  ],
]

describe('the compiler rejects', () => {
  let errors: readonly string[]
  const lineOf = (index: number) => `${PREAMBLE.split('\n').length + index}: `

  beforeAll(() => {
    errors = checkSample(PREAMBLE + mistakes.map(([line]) => line).join('\n')).errors
  })

  it.each(mistakes.map(([line, says], index) => ({ line, says, index })))(
    '$line, and says why',
    ({ says, index }) => {
      const said = errors.filter((error) => error.startsWith(lineOf(index)))
      expect(said).toEqual([expect.stringContaining(says)])
    },
  )

  it('nothing else', () => {
    expect(errors).toHaveLength(mistakes.length)
  })
})
