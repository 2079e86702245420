import { EntityProperty, filter, parseDateTime } from '@rowkey/odata'
import { anyOf, between, eq, ge, gt, le, lt, ne, queryOf, startsWith } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { invalidQuery } from '../support/rejections.ts'
import { type Customer, customerModel } from './customer.ts'

const query = queryOf<Customer>(customerModel)
const GUID = 'c9da6455-213d-42c9-9a79-3e9149a57833'
const SINCE = parseDateTime('2012-11-10T03:04:05.1234567Z')

describe('callback, object and template', () => {
  it.each<[string, unknown, unknown, string]>([
    ['lastName', "O'Neil", "O'Neil", "PartitionKey eq 'O''Neil'"],
    ['customerEmailAddress', '', '', "cea eq ''"],
    ['customerEmailAddress', '%27 größe 😀', '%27 größe 😀', "cea eq '%27 größe 😀'"],
    ['age', -30, -30, 'age eq -30'],
    ['rating', 5, EntityProperty.double(5), 'rating eq 5.0'],
    ['rating', 0.1, 0.1, 'rating eq 0.1'],
    ['rating', Number.NaN, Number.NaN, 'rating eq NaN'],
    ['rating', -1 / 0, -1 / 0, 'rating eq -INF'],
    ['points', 5, 5n, 'points eq 5L'],
    ['points', -(2n ** 63n), -(2n ** 63n), 'points eq -9223372036854775808L'],
    ['active', false, false, 'active eq false'],
    ['since', SINCE, SINCE, "since eq datetime'2012-11-10T03:04:05.1234567Z'"],
    ['account', GUID.toUpperCase(), EntityProperty.guid(GUID), `account eq guid'${GUID}'`],
    ['photo', Uint8Array.of(0, 255), Uint8Array.of(0, 255), "photo eq X'00ff'"],
    ['photo', Uint8Array.of(), Uint8Array.of(), "photo eq X''"],
  ])('R-29, R-164: write the same text for %s', (name, value, operand, text) => {
    const stored = customerModel.column(name)!.name
    // The template has one name in its text, which is the only part that changes from row to row.
    const strings = Object.assign([`${stored} eq `, ''], { raw: ['', ''] })
    const ways = [
      query.where((c) => c[name as 'lastName'].eq(value as string)),
      query.where({ [name]: value }),
      query.where({ [name]: eq(value as string) }),
      query.where(filter(strings, operand as string)),
    ]
    expect(ways.map((way) => way.compile().filter)).toEqual([text, text, text, text])
  })
})

describe('a query', () => {
  it.each([null, undefined])('rejects %s as any operand, with the reason', (nothing) => {
    const operand = nothing as never
    const words = [eq, ne, gt, ge, lt, le, startsWith].map((word) => word(operand))
    const tests = [...words, between(operand, 5), between(5, operand), anyOf([5, operand]), operand]
    for (const test of tests) {
      expect(() => query.where({ state: test as never })).toThrow(invalidQuery)
      expect(() => query.where({ state: test as never })).toThrow(
        /never stored.*absent property is false/,
      )
    }
    expect(() => query.where((c) => c.age.between(1, operand))).toThrow(/never stored/)
    expect(() => query.where((c) => c.lastName.startsWith(operand))).toThrow(/never stored/)
    expect(() => query.where((c) => c.age.in([operand]))).toThrow(/never stored/)
    expect(() => filter`age gt ${operand}`).toThrow(/never stored/)
  })
})
