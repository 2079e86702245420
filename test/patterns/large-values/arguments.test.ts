import { defineEntity, key } from '@rowkey/mapper'
import { blobStore, chunkStore, declareLargeValues } from '@rowkey/patterns'
import { it } from 'vitest'
import { z } from 'zod'
import { office } from '../employees.ts'
import { type Call, expectRejected, method, OPTIONS, wrongCalls } from '../garbage.ts'

const definePhoto = () =>
  defineEntity({
    name: 'photos',
    partitionKey: key`${'owner'}`,
    rowKey: key`${'id'}`,
    schema: z.object({ owner: z.string(), id: z.string(), photo: z.string().optional() }),
  })
const { account, sent } = office()
const store = chunkStore(account, { table: 'chunks' })
const options = { property: 'photo', store: () => store } as const
const photos = declareLargeValues(definePhoto(), options)
const table = photos.on(account)
const declare = declareLargeValues as (...args: unknown[]) => unknown
const entity = { owner: 'jones', id: '1' }
const bytes = new Uint8Array(1)

const container = { getBlockBlobClient: () => ({}), listBlobsFlat: () => [] }

const names = /large|owner|store|value/i
const calls: readonly Call[] = [
  {
    name: 'declareLargeValues',
    run: declare,
    args: [definePhoto(), options],
    valid: [[], []],
    names,
  },
  ...(['property', 'store'] as const).map((name) => ({
    name: `the option ${name}`,
    run: (value: unknown) => declare(definePhoto(), { ...options, [name]: value }),
    args: [undefined],
    valid: [{ property: [], store: ['a function'] }[name]] as Call['valid'],
    names: /large|photo/i,
  })),
  method(photos, 'on', { args: [account, {}], valid: [[], OPTIONS], names }),
  method(table, 'stage', { args: [entity, bytes], valid: [[], []], names }),
  method(table, 'save', { args: [entity, bytes, {}], valid: [[], [], OPTIONS], names }),
  method(table, 'load', { args: [entity, {}], valid: [['an object'], OPTIONS], names }),
  method(table, 'sweep', { args: [{}], valid: [OPTIONS], names }),
  {
    name: 'olderThan',
    run: (olderThan) => table.sweep({ olderThan }),
    args: [0],
    valid: [['undefined', 'a number']],
    names: /olderThan/,
  },
  {
    name: 'chunkStore',
    run: chunkStore as Call['run'],
    args: [account, { table: 'chunks' }],
    valid: [[], []],
    names: /chunkStore|table/i,
  },
  {
    name: 'the table of a chunkStore',
    run: (name) => chunkStore(account, { table: name }),
    args: ['chunks'],
    valid: [[]],
    names: /chunkStore|table/i,
  },
  {
    name: 'blobStore',
    run: blobStore as Call['run'],
    args: [container],
    valid: [[]],
    names: /blobStore/,
  },
]

it.each(wrongCalls(calls))('rejects %s', (_, wrong) => expectRejected(wrong, sent))
