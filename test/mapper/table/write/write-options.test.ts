import { CALL_OPTION_NAMES } from '@rowkey/rest'
import { expect, it } from 'vitest'
import {
  INSERT_OPTION_NAMES,
  WRITE_OPTION_NAMES,
} from '../../../../packages/mapper/src/table/write/write-options.ts'

it('writes accept the options of every call, insert also echo, and the others etag', () => {
  expect(WRITE_OPTION_NAMES).toEqual([...CALL_OPTION_NAMES, 'etag'])
  expect(INSERT_OPTION_NAMES).toEqual([...CALL_OPTION_NAMES, 'echo'])
})
