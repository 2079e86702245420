import { CALL_OPTION_NAMES } from '@rowkey/rest'
import { expect, it } from 'vitest'
import {
  insertOptions,
  writeOptions,
} from '../../../../packages/mapper/src/table/write/write-options.ts'

it('writes accept the options of every call, insert also echo, and the others etag', () => {
  expect(writeOptions.names).toEqual([...CALL_OPTION_NAMES, 'etag'])
  expect(insertOptions.names).toEqual([...CALL_OPTION_NAMES, 'echo'])
})
