import {
  bindQuery,
  type IsSecret,
  type QueryField,
  type QueryModel,
  type QueryShape,
  type QuerySource,
  type Secret,
  type SecretField,
} from '@rowkey/query'
import { describe, expectTypeOf, it } from 'vitest'

class Patient {
  clinic!: string
  id!: string
  name!: Secret<string>
  weight?: Secret<number>
  visits?: Secret<bigint> | null
  born?: Secret<Date>
  scan?: Secret<Uint8Array>
  insured?: Secret<boolean>
}

declare const model: QueryModel
declare const source: QuerySource<Patient>
const query = bindQuery<Patient>(model, source)

describe('Secret', () => {
  it('accepts any value of its type, and is assignable to it', () => {
    const patient = new Patient()
    patient.name = 'Jeff'
    patient.weight = 80.5
    patient.visits = 3n
    patient.visits = null
    patient.born = new Date(0)
    patient.scan = new Uint8Array(1)
    patient.insured = true
    expectTypeOf(patient.name).toExtend<string>()
    expectTypeOf(patient.born).toExtend<Date | undefined>()
    // @ts-expect-error a number is not text
    patient.name = 5
    // @ts-expect-error an object is not a Date
    patient.born = {}
  })

  it('differs from other types', () => {
    expectTypeOf<IsSecret<Secret<string>>>().toEqualTypeOf<true>()
    expectTypeOf<IsSecret<Secret<boolean>>>().toEqualTypeOf<true>()
    expectTypeOf<IsSecret<string>>().toEqualTypeOf<false>()
    expectTypeOf<IsSecret<unknown>>().toEqualTypeOf<false>()
    expectTypeOf<QueryField<Secret<string>>>().toEqualTypeOf<SecretField>()
    // biome-ignore lint/suspicious/noExplicitAny: it is what is tested
    expectTypeOf<QueryField<any>>().not.toEqualTypeOf<SecretField>()
  })
})

describe('a query of secrets', () => {
  it('accepts conditions on other properties', () => {
    query.where({ clinic: 'Seattle' }).where((patient) => patient.id.ge('5'))
  })

  it('rejects conditions on a secret, as an object', () => {
    // @ts-expect-error a secret cannot be compared
    query.where({ name: 'Jeff' })
    // @ts-expect-error nor beside others
    query.where({ clinic: 'Seattle', visits: 3n })
    // @ts-expect-error nor a Boolean
    query.where({ insured: true })
  })

  it('rejects conditions on a secret, in a callback', () => {
    // @ts-expect-error a secret cannot be compared
    query.where((patient) => patient.name.eq('Jeff'))
    // @ts-expect-error bytes neither
    query.where((patient) => patient.scan.eq(new Uint8Array(1)))
    // @ts-expect-error a Boolean alone is not a condition
    query.where((patient) => patient.insured)
  })

  it('can select only secrets', () => {
    expectTypeOf<keyof QueryShape<Patient>>().toEqualTypeOf<keyof Patient>()
    query.select('name', 'weight')
  })
})
