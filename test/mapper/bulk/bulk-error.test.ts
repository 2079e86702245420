import { InputError } from '@rowkey/odata'
import { expect, it } from 'vitest'
import { BulkError } from '../../../packages/mapper/src/bulk/bulk-error.ts'

const key = { partitionKey: 'Smith', rowKey: 'Jeff' }

it('shows keys and errors as JSON, and no item of the input', () => {
  const item: Record<string, unknown> = { password: 'secret', points: 7n }
  item.self = item
  const network = Object.assign(new TypeError('below'), { authorization: 'secret' })
  const error = new BulkError({
    table: 'people',
    summary: {
      read: 3,
      done: 1,
      skipped: 0,
      failed: 2,
      unknown: 0,
      resumed: 0,
      ending: 'failed',
      cause: network,
      elapsed: 5,
      failures: [
        { status: 'failed', index: 0, item, kind: 'insert', key, error: network },
        {
          status: 'failed',
          index: 1,
          item,
          kind: 'insert',
          key: undefined,
          error: new InputError({ code: 'InvalidEntityKey', message: 'No.' }),
        },
      ],
    },
  })
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'BulkError',
    code: 'BulkIncomplete',
    message: error.message,
    mayHaveApplied: true,
    summary: {
      read: 3,
      done: 1,
      skipped: 0,
      failed: 2,
      unknown: 0,
      resumed: 0,
      ending: 'failed',
      elapsed: 5,
      cause: { name: 'TypeError', message: 'below' },
      failures: [
        {
          status: 'failed',
          index: 0,
          kind: 'insert',
          key,
          error: { name: 'TypeError', message: 'below' },
        },
        {
          status: 'failed',
          index: 1,
          kind: 'insert',
          error: { name: 'InputError', code: 'InvalidEntityKey', message: 'No.', details: {} },
        },
      ],
    },
    cause: { name: 'TypeError', message: 'below' },
  })
})
