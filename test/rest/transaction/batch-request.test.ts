import { deleteEntity, getEntity } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { batchRequest } from '../../../packages/rest/src/transaction/batch-request.ts'
import { encodeChangeSet } from '../../../packages/rest/src/transaction/encode-change-set.ts'
import { contoso, emulator, jeff } from '../people.ts'

const read = getEntity.toRequest(jeff, emulator)
const remove = deleteEntity.toRequest({ ...jeff, etag: '*' }, emulator)

describe('batchRequest', () => {
  it('posts the requests to the batch of the account', () => {
    const request = batchRequest([remove], emulator)
    expect(request).toMatchObject({ method: 'POST', path: '/devstoreaccount1/$batch', query: '' })
    expect(request.headers['content-type']).toBe('multipart/mixed; boundary=batch_rowkey')
    expect(request.body).toBe(encodeChangeSet([remove], emulator))
    expect(batchRequest([remove], contoso).path).toBe('/$batch')
  })

  it('only reads when all that it holds are reads', () => {
    expect(batchRequest([read], emulator).readsOnly).toBe(true)
    expect(batchRequest([remove], emulator)).not.toHaveProperty('readsOnly')
  })
})
