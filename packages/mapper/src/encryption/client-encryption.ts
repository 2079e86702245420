import {
  type DecodeError,
  DynamicEntity,
  describeKind,
  EntityProperty,
  invalidOption,
} from '@rowkey/odata'
import { mapperDecodeError } from '../errors/codes.ts'

/** The key of one row, wrapped by a key of the program. */
export interface WrappedContentKey {
  /** The name of the key that wrapped it, such as the URL of a key in Key Vault. */
  readonly keyId: string
  /** How it was wrapped, such as `A256KW` or `RSA-OAEP`. */
  readonly algorithm: string
  /** The wrapped key. */
  readonly encryptedKey: Uint8Array
}

/** Returns the 32 bytes that a key of the program has wrapped. */
export type UnwrapContentKey = (wrapped: WrappedContentKey) => Uint8Array | Promise<Uint8Array>

const DATA = '_ClientEncryptionMetadata1'
const NAMES = '_ClientEncryptionMetadata2'
const IV_LENGTH = 16

/** What {@link DATA} has, as far as it is read. */
interface EncryptionData {
  readonly keyId: string
  readonly algorithm: string
  readonly encryptedKey: Uint8Array
  readonly iv: Uint8Array
  /** Java joins the keys in another order, and prints the names without JSON. */
  readonly isJava: boolean
}

/**
 * Decrypts the texts of a row that an old Azure Storage client for .NET, Java or Python encrypted on its side: AES-256
 * in CBC mode, with a key for each row. This form has no authentication: a program that can write the row
 * can change the texts unnoticed. Use it to move the rows, and Rowkey's own encryption from then on.
 *
 * @param entity - a row as `account.table(name)` reads it; a row without encryption is returned as it is
 * @param unwrapKey - unwraps the key of the row
 * @returns a new entity with the same keys, ETag and types, and without the two properties about the encryption
 * @throws InputError (`InvalidOptionValue`) for anything but a `DynamicEntity`
 * @throws DecodeError (`DecryptionFailed`) for another form of encryption, a wrong key or changed bytes
 *
 * @example
 * ```ts
 * const row = await decryptClientEntity(await table.get(['Smith', 'Jeff']), ({ encryptedKey }) => unwrap(encryptedKey))
 * ```
 */
export async function decryptClientEntity(
  entity: DynamicEntity,
  unwrapKey: UnwrapContentKey,
): Promise<DynamicEntity> {
  if (!(entity instanceof DynamicEntity)) {
    throw invalidOption(
      `decryptClientEntity takes a DynamicEntity, as account.table('name') reads it; got ${describeKind(entity)}.`,
    )
  }
  const data = entity.get(DATA)
  if (data === undefined) return entity
  const { keyId, algorithm, encryptedKey, iv, isJava } = readData(data.as('String'))
  const bytes = await unwrapKey({ keyId, algorithm, encryptedKey })
  const { partitionKey, rowKey } = entity
  const place = isJava ? partitionKey + rowKey : rowKey + partitionKey
  try {
    // A copy, because WebCrypto takes no view of shared memory.
    const raw = Uint8Array.from(bytes)
    const key = await crypto.subtle.importKey('raw', raw, 'AES-CBC', false, ['decrypt'])
    const textOf = (name: string) => decrypted(key, iv, place + name, entity.get(name))
    const names = namesIn(await textOf(NAMES), isJava)
    const plain = await Promise.all(
      names.map(async (name) => [name, EntityProperty.string(await textOf(name))] as const),
    )
    return withProperties(entity, new Map(plain))
  } catch (cause) {
    throw failed('The key is another one, or the stored bytes were changed.', cause)
  }
}

function readData(text: string): EncryptionData {
  const { WrappedContentKey: wrapped, EncryptionAgent: agent, ...rest } = parse(text)
  if (agent?.EncryptionAlgorithm !== 'AES_CBC_256') {
    throw failed(`The algorithm is ${agent?.EncryptionAlgorithm}; only AES_CBC_256 can be read.`)
  }
  const library = rest.KeyWrappingMetadata?.EncryptionLibrary
  return {
    keyId: wrapped?.KeyId ?? '',
    algorithm: wrapped?.Algorithm ?? '',
    encryptedKey: bytesOf(wrapped?.EncryptedKey ?? ''),
    iv: bytesOf(rest.ContentEncryptionIV ?? ''),
    isJava:
      rest.KeyWrappingMetadata === undefined ||
      (agent.Protocol === '1.0' && library?.includes('Java') === true),
  }
}

/** The members of the JSON that are read. */
interface EncryptionJson {
  readonly WrappedContentKey?: { KeyId?: string; EncryptedKey?: string; Algorithm?: string }
  readonly EncryptionAgent?: { Protocol?: string; EncryptionAlgorithm?: string }
  readonly ContentEncryptionIV?: string
  readonly KeyWrappingMetadata?: { EncryptionLibrary?: string }
}

function parse(text: string): EncryptionJson {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw failed(`${DATA} is not JSON.`, cause)
  }
}

type AesKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

async function decrypted(
  key: AesKey,
  entityIv: Uint8Array,
  place: string,
  property: EntityProperty | undefined,
): Promise<string> {
  const encrypted = property?.as('Binary') ?? new Uint8Array()
  const seed = new Uint8Array([...entityIv, ...new TextEncoder().encode(place)])
  const iv = (await crypto.subtle.digest('SHA-256', seed)).slice(0, IV_LENGTH)
  const plain = await crypto.subtle.decrypt({ name: 'AES-CBC', iv }, key, new Uint8Array(encrypted))
  return new TextDecoder('utf-8', { fatal: true }).decode(plain)
}

/** .NET and Python print a JSON array, Java `[a, b]`. */
function namesIn(text: string, isJava: boolean): readonly string[] {
  if (!isJava) return JSON.parse(text)
  return text === '[]' ? [] : text.slice(1, -1).split(', ')
}

function withProperties(
  { partitionKey, rowKey, properties, etag, timestamp }: DynamicEntity,
  plain: ReadonlyMap<string, EntityProperty>,
): DynamicEntity {
  const read = new DynamicEntity(partitionKey, rowKey)
  for (const [name, property] of properties) {
    if (name !== DATA && name !== NAMES) read.set(name, plain.get(name) ?? property)
  }
  if (etag !== undefined) read.etag = etag
  if (timestamp !== undefined) read.timestamp = timestamp
  return read
}

const bytesOf = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0))

const failed = (problem: string, cause?: unknown): DecodeError =>
  mapperDecodeError({
    code: 'DecryptionFailed',
    message: `The client-side encryption of the row cannot be read: ${problem}`,
    details: {},
    ...(cause !== undefined && { cause }),
  })
