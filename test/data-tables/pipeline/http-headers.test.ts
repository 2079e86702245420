import { expect, it } from 'vitest'
import { httpHeaders } from '../../../packages/data-tables/src/pipeline/http-headers.ts'

it('headers have names in any case, and keep the case that was set', () => {
  const headers = httpHeaders({ ETag: ' x ' })
  headers.set('Content-Length', 5)
  expect([headers.get('etag'), headers.has('CONTENT-LENGTH'), headers.has('date')]).toEqual([
    'x',
    true,
    false,
  ])
  expect(headers.toJSON()).toEqual({ etag: 'x', 'content-length': '5' })
  expect(headers.toJSON({ preserveCase: true })).toEqual({ ETag: 'x', 'Content-Length': '5' })
  headers.delete('etag')
  expect([...headers]).toEqual([['Content-Length', '5']])
})
