import { type } from 'arktype'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { isStandardSchema } from '../../../packages/mapper/src/standard-schema/standard-schema.ts'

it.each([
  ['zod', z.string()],
  ['valibot', v.string()],
  ['arktype, whose schemas are functions', type('string')],
])('isStandardSchema knows a schema of %s', (_library, schema) => {
  expect(isStandardSchema(schema)).toBe(true)
})

it.each([[undefined], [null], [{}], ['text'], [{ '~standard': { version: 1 } }]])(
  'isStandardSchema rejects %o',
  (value) => {
    expect(isStandardSchema(value)).toBe(false)
  },
)
