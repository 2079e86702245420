import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'

/**
 * docs/project/encryption-formats.md once more, by Node's own cryptography and nothing of the sources: what it makes
 * they must read, and the other way round.
 */

export interface ReferencePlace {
  readonly partitionKey: string
  readonly rowKey: string
  readonly name: string
}

const counted = (bytes: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

const header = (algorithm: number, keyId: string): Buffer =>
  Buffer.concat([Buffer.from([1, algorithm, keyId.length]), Buffer.from(keyId, 'ascii')])

const context = (head: Buffer, { partitionKey, rowKey, name }: ReferencePlace): Buffer =>
  Buffer.concat([
    head,
    ...[partitionKey, rowKey, name].map((text) => counted(Buffer.from(text, 'utf8'))),
  ])

/** Encrypts a plaintext that already begins with its type's byte. */
export function referenceSeal(
  { key, keyId, nonce }: { key: Buffer; keyId: string; nonce: Buffer },
  plaintext: Buffer,
  place: ReferencePlace,
): Buffer {
  const head = header(1, keyId)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(context(head, place))
  const sealed = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return Buffer.concat([head, nonce, sealed, cipher.getAuthTag()])
}

/** Decrypts, and throws when the tag does not fit. */
export function referenceOpen(key: Buffer, stored: Buffer, place: ReferencePlace): Buffer {
  const head = stored.subarray(0, 3 + (stored[2] as number))
  const nonce = stored.subarray(head.length, head.length + 12)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(context(head, place))
  decipher.setAuthTag(stored.subarray(-16))
  const sealed = stored.subarray(head.length + 12, -16)
  return Buffer.concat([decipher.update(sealed), decipher.final()])
}

export interface ReferenceEntity {
  readonly partitionKey: string
  readonly rowKey: string
  /** Name, byte of the type, bytes of the value. */
  readonly properties: readonly (readonly [string, number, Buffer])[]
}

/** Signs an entity. */
export function referenceSignature(
  { key, keyId }: { key: Buffer; keyId: string },
  { partitionKey, rowKey, properties }: ReferenceEntity,
): Buffer {
  const head = header(2, keyId)
  const count = Buffer.alloc(4)
  count.writeUInt32BE(properties.length)
  const code = createHmac('sha256', key).update(head)
  code
    .update(counted(Buffer.from(partitionKey)))
    .update(counted(Buffer.from(rowKey)))
    .update(count)
  for (const [name, type, value] of properties) {
    code
      .update(counted(Buffer.from(name)))
      .update(Buffer.from([type]))
      .update(counted(value))
  }
  return Buffer.concat([head, code.digest()])
}
