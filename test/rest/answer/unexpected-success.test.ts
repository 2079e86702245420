import { deleteEntity, getEntity, insertEntity } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { unexpectedSuccess } from '../../../packages/rest/src/answer/unexpected-success.ts'
import { etag, read, write } from '../people.ts'

const answer = (status: number, headers = {}) => ({ status, headers, body: '' })

describe('unexpectedSuccess', () => {
  it.each([
    [insertEntity, write, 201],
    [insertEntity, write, 204],
    [deleteEntity, write, 204],
    [getEntity, read, 200],
  ])('has nothing against an answer of the service', (operation, request, status) => {
    expect(unexpectedSuccess(operation, request, answer(status, { etag }))).toBeUndefined()
  })

  it.each([
    [insertEntity, write, 200, true],
    [deleteEntity, write, 200, true],
    [deleteEntity, write, 202, true],
    [getEntity, read, 204, false],
    [getEntity, read, 206, false],
  ])('does not take a status for a success that is none of the operation', (...row) => {
    const [operation, request, status, mayHaveApplied] = row
    expect(unexpectedSuccess(operation, request, answer(status))).toMatchObject({
      code: 'UnexpectedAnswer',
      mayHaveApplied,
      message: expect.stringContaining(`${operation.name} was answered ${status}`),
    })
  })

  it('lets an operation that does not say what it is answered with be answered with anything', () => {
    expect(unexpectedSuccess({ name: 'own' }, write, answer(200))).toBeUndefined()
  })

  it.each([`${etag}, ${etag}`, '"a","b"', 'W/"a", "b"'])(
    'takes no list for an ETag: %s',
    (list) => {
      expect(unexpectedSuccess(deleteEntity, write, answer(204, { etag: list }))).toMatchObject({
        code: 'UnexpectedAnswer',
        mayHaveApplied: true,
        message: expect.stringContaining('several ETags'),
      })
    },
  )

  it('takes no JSON in which types are lost', () => {
    const headers = { 'content-type': 'application/json;odata=nometadata;streaming=true' }
    expect(unexpectedSuccess(getEntity, read, answer(200, headers))).toMatchObject({
      code: 'UnexpectedAnswer',
      mayHaveApplied: false,
      message: expect.stringContaining('without metadata'),
    })
  })

  it('lets any single ETag pass, commas inside too', () => {
    expect(unexpectedSuccess(deleteEntity, write, answer(204, { etag: '"a,b"' }))).toBeUndefined()
  })
})
