import { callOptions } from '@rowkey/rest'
import { expect, it } from 'vitest'
import { insertOptions, writeOptions } from '../../../packages/mapper/src/options/write-options.ts'

it('writes accept the options of every call, insert also echo, and the others etag', () => {
  expect(writeOptions.names).toEqual([...callOptions.names, 'etag'])
  expect(insertOptions.names).toEqual([...callOptions.names, 'echo'])
})
