import { isRowkeyError } from '@rowkey/odata'
import { patternsErrorCodes, UniqueValueError } from '@rowkey/patterns'
import { expect, it } from 'vitest'

it('UniqueValueError names the table, the index, the properties and the owner', () => {
  const error = new UniqueValueError({
    table: 'employees',
    index: 'email',
    properties: ['email'],
    owner: { partitionKey: 'Sales', rowKey: '1' },
  })
  expect(isRowkeyError(error)).toBe(true)
  expect(error.message).toBe(
    'The value of \'email\' is taken: in table employees, the unique index email has it for the entity ["Sales","1"]. Choose another value. Nothing was stored.',
  )
  const alone = { table: 'teams', index: 'lead', properties: [], owner: error.owner }
  expect(new UniqueValueError(alone).message).toMatch(/^The value of its key is taken: in table/)
  expect(Object.keys(patternsErrorCodes)).toContain(error.code)
})
