import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { decryptClientEntity, type UnwrapContentKey } from '@rowkey/mapper/other-clients'
import { DynamicEntity, EntityProperty } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

const kek = Buffer.alloc(32, 'k')
const WRAP_IV = Buffer.alloc(8, 0xa6)

/** A256KW, as the clients wrap with a symmetric key. */
const unwrap: UnwrapContentKey = ({ encryptedKey, algorithm, keyId }) => {
  expect([algorithm, keyId]).toEqual(['A256KW', 'local:key1'])
  const cipher = createDecipheriv('id-aes256-wrap', kek, WRAP_IV)
  return new Uint8Array(Buffer.concat([cipher.update(encryptedKey), cipher.final()]))
}

type Client = '.NET' | 'Java'

/** Encrypts two texts of a row as the clients do: by their published sources, with Node's crypto. */
function encryptedRow(client: Client, change: (data: Record<string, unknown>) => void = () => {}) {
  const [pk, rk] = ['Smith', 'Jeff']
  const cek = randomBytes(32)
  const iv = randomBytes(16)
  const seal = (name: string, text: string) => {
    const place = client === 'Java' ? pk + rk + name : rk + pk + name
    const own = createHash('sha256').update(iv).update(place).digest().subarray(0, 16)
    const cipher = createCipheriv('aes-256-cbc', cek, own)
    return new Uint8Array(Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]))
  }
  const wrap = createCipheriv('id-aes256-wrap', kek, WRAP_IV)
  const data = {
    WrappedContentKey: {
      KeyId: 'local:key1',
      EncryptedKey: Buffer.concat([wrap.update(cek), wrap.final()]).toString('base64'),
      Algorithm: 'A256KW',
    },
    EncryptionAgent: { Protocol: '1.0', EncryptionAlgorithm: 'AES_CBC_256' },
    ContentEncryptionIV: iv.toString('base64'),
    KeyWrappingMetadata: { EncryptionLibrary: client === 'Java' ? 'Java 4.0.0' : '.NET 8.1.0' },
  }
  change(data)
  const names = client === 'Java' ? '[Email, Note]' : '["Email","Note"]'
  const row = new DynamicEntity(pk, rk, {
    Email: seal('Email', 'jeff@contoso.com'),
    Note: seal('Note', 'é \u{1f600}'),
    Age: 41,
    Photo: new Uint8Array([1, 2]),
    _ClientEncryptionMetadata1: JSON.stringify(data),
    _ClientEncryptionMetadata2: seal('_ClientEncryptionMetadata2', names),
  })
  row.etag = 'W/"1"'
  return row
}

describe('decryptClientEntity', () => {
  it.each([null, undefined, {}, 'row'])(
    'rejects %j in place of a DynamicEntity',
    async (entity) => {
      await expect(decryptClientEntity(entity as never, unwrap)).rejects.toMatchObject({
        code: 'InvalidOptionValue',
        message: expect.stringContaining('takes a DynamicEntity'),
      })
    },
  )

  it.each(['.NET', 'Java'] as const)('reads what the client for %s encrypted', async (client) => {
    const read = await decryptClientEntity(encryptedRow(client), unwrap)
    expect([...read.properties]).toEqual([
      ['Email', EntityProperty.string('jeff@contoso.com')],
      ['Note', EntityProperty.string('é \u{1f600}')],
      ['Age', EntityProperty.int32(41)],
      ['Photo', EntityProperty.binary(new Uint8Array([1, 2]))],
    ])
    expect([read.partitionKey, read.rowKey, read.etag]).toEqual(['Smith', 'Jeff', 'W/"1"'])
  })

  it('reads the oldest rows of Java, which say nothing about their library', async () => {
    const row = encryptedRow('Java', (data) => delete data.KeyWrappingMetadata)
    expect((await decryptClientEntity(row, unwrap)).get('Email')?.value).toBe('jeff@contoso.com')
  })

  it('returns a row without encryption as it is', async () => {
    const row = new DynamicEntity('Smith', 'Jeff', { Age: 41 })
    expect(await decryptClientEntity(row, unwrap)).toBe(row)
  })

  it('rejects another key, and changed bytes', async () => {
    const rejected = expect.objectContaining({ name: 'DecodeError', code: 'DecryptionFailed' })
    const other: UnwrapContentKey = () => new Uint8Array(32)
    await expect(decryptClientEntity(encryptedRow('.NET'), other)).rejects.toEqual(rejected)
    const cut = encryptedRow('.NET').set('Email', new Uint8Array([1, 2, 3]))
    await expect(decryptClientEntity(cut, unwrap)).rejects.toEqual(rejected)
  })

  it('rejects another algorithm, and metadata that is not JSON', async () => {
    const other = encryptedRow('.NET', (data) => {
      data.EncryptionAgent = { Protocol: '2.0', EncryptionAlgorithm: 'AES_GCM_256' }
    })
    await expect(decryptClientEntity(other, unwrap)).rejects.toThrow('only AES_CBC_256 can be read')
    const broken = encryptedRow('.NET').set('_ClientEncryptionMetadata1', '{')
    await expect(decryptClientEntity(broken, unwrap)).rejects.toThrow('is not JSON')
  })
})
