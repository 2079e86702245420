import {
  checkCustomPropertyName,
  DecodeError,
  edmCodecs,
  edmTypeOf,
  type InputError,
  keyOfRaw,
  memberText,
  type RawEntity,
  readProperty,
} from '@rowkey/odata'
import { checkOptions, type OptionNames } from '@rowkey/rest'
import { DelegatingCodec } from '../codec/delegating-codec.ts'
import { neverPasses, type RowCheck, type RowCodec } from '../codec/row-codec.ts'
import { equalBytes, hmacSha256 } from '../crypto/hash.ts'
import { encodeText } from '../encryption/byte-text.ts'
import { fourBytes, joinBytes, withLength } from '../encryption/join-bytes.ts'
import {
  decodeHeader,
  encodeHeader,
  KeyRing,
  type KeyRingOptions,
  type KeyRule,
  readChoice,
} from '../encryption/key-ring.ts'
import { TYPE_CODES, valueBytes } from '../encryption/value-bytes.ts'
import { mapperDecodeError, mapperInputError } from '../errors/codes.ts'
import { memberJson } from '../member/stored-member.ts'
import { afterMerge } from '../snapshot/after-write.ts'
import { isComplete, type RowOrigin, rowOf, type Snapshot } from '../snapshot/snapshot.ts'

/** Why an entity is rejected; the explanations below say more. */
export type SignatureFailure = 'unsigned' | 'malformed' | 'unknownKey' | 'tampered' | 'partial'

/** The reason why a signature is rejected, and the id of its key. */
interface SignatureFinding {
  readonly failure: SignatureFailure
  readonly keyId?: string
}

/** Signs bytes and checks signatures; `SigningKeys` is one. */
interface EntitySigner {
  /** The property of the signature. */
  readonly property: string
  /** Whether entities without a signature are read. */
  readonly readsUnsigned: boolean
  /** Signs bytes. */
  sign(content: Uint8Array): Uint8Array
  /** Checks a signature; returns the fault, or `undefined` when it is valid. */
  findFault(signature: Uint8Array, content: Uint8Array): SignatureFinding | undefined
}

const EXPLANATIONS: Readonly<Record<SignatureFailure, string>> = {
  unsigned:
    'it has no signature. A program that does not sign wrote it, or its signature was ' +
    "removed. While you sign an existing table, signingKeys({ unsigned: 'read' }) reads these entities.",
  malformed: 'its signature is not in a known format.',
  unknownKey:
    'it was signed with an unknown key. Add that key to the ring, and keep it as long as ' +
    'entities that it signed are stored.',
  tampered:
    'it was tampered with: a property was altered, added or removed, the entity was moved, or ' +
    'the key with this id is a different one.',
  partial:
    'only a part of it was requested, but only a whole entity can be verified. Read the whole entity.',
}

/**
 * Rejects an entity whose signature is missing or wrong.
 *
 * @param keys - the signing keys
 * @param raw - the whole stored entity
 * @param className - the class, for the message
 * @throws DecodeError (`SignatureInvalid`) when the signature is missing or wrong
 */
export function verifyEntity(keys: EntitySigner, raw: RawEntity, className: string): void {
  const finding = findFault(keys, raw)
  if (finding === undefined) return
  throw signatureError(className, raw, finding)
}

function signatureError(
  className: string,
  raw: RawEntity,
  { failure, keyId }: SignatureFinding,
): DecodeError {
  const key = keyOfRaw(raw)
  const place = JSON.stringify([key.partitionKey, key.rowKey])
  const named = keyId === undefined ? '' : ` (key '${keyId}')`
  const message = `${className} ${place}${named} was rejected: ${EXPLANATIONS[failure]}`
  const details = { ...key, reason: failure, keyId }
  return mapperDecodeError({ code: 'SignatureInvalid', message, details })
}

function findFault(keys: EntitySigner, raw: RawEntity): SignatureFinding | undefined {
  try {
    const signature = readProperty(raw, keys.property)
    if (signature === undefined) return keys.readsUnsigned ? undefined : { failure: 'unsigned' }
    const { type, value } = signature
    const isBytes = type === 'Binary' && value instanceof Uint8Array
    if (!isBytes) return { failure: 'malformed' }
    return keys.findFault(value, canonicalEntity(raw, keys.property))
  } catch (error) {
    // An invalid value was never signed.
    if (error instanceof DecodeError) return { failure: 'malformed' }
    throw error
  }
}

/** The properties that are not in the list: the service sets the Timestamp, and the keys come first. */
const NOT_SIGNED: ReadonlySet<string> = new Set(['PartitionKey', 'RowKey', 'Timestamp'])

/**
 * Encodes an entity for signing: both keys, and the name, type and value of every stored property,
 * ordered by name. Two entities that differ in any of these have different bytes, whatever the JSON looks
 * like: docs/encryption.md.
 *
 * @param raw - the stored entity
 * @param signatureName - the property with the signature, which is omitted
 */
export function canonicalEntity(raw: RawEntity, signatureName: string): Uint8Array {
  const { partitionKey, rowKey } = keyOfRaw(raw)
  const names = Object.keys(raw).filter((name) => isSigned(raw, name) && name !== signatureName)
  return joinBytes(
    withLength(encodeText(partitionKey)),
    withLength(encodeText(rowKey)),
    fourBytes(names.length),
    ...names.sort().map((name) => canonicalProperty(raw, name)),
  )
}

/**
 * Whether a member is a stored property. `odata.etag` and `<name>@odata.type` contain a dot, property
 * names do not. A null is not stored.
 */
function isSigned(raw: RawEntity, name: string): boolean {
  const value = raw[name]
  return !NOT_SIGNED.has(name) && !name.includes('.') && value !== null && value !== undefined
}

function canonicalProperty(raw: RawEntity, name: string): Uint8Array {
  const type = edmTypeOf(raw, name) ?? 'String' // stored properties have a type
  const value = edmCodecs[type].readJson(raw[name], name)
  return joinBytes(
    withLength(encodeText(name)),
    Uint8Array.of(TYPE_CODES[type]),
    withLength(valueBytes({ type, value })),
  )
}

/** The options of a {@link SignedCodec}. */
interface SignedCodecParts<Entity extends object> {
  /** Writes and reads the entity, without the signature. */
  readonly codec: RowCodec<Entity>
  /** The class, for messages. */
  readonly className: string
  /** The signing keys. */
  readonly keys: EntitySigner
}

/** Signs entities when they are written, and verifies them when they are read. */
class SignedCodec<Entity extends object> extends DelegatingCodec<Entity> {
  readonly #className: string
  readonly #keys: EntitySigner

  constructor({ codec, className, keys }: SignedCodecParts<Entity>) {
    super(codec)
    this.#className = className
    this.#keys = keys
  }

  override write(entity: Entity): string {
    return this.#withSignature(super.write(entity), {})
  }

  /** Rejects a projection, because a signature covers the whole entity. */
  override writeShown(entity: Entity): string {
    return this.write(entity)
  }

  override writeChanges(entity: Entity, snapshot: Snapshot | undefined): string | undefined {
    const changes = super.writeChanges(entity, snapshot)
    if (changes === undefined) return undefined
    if (snapshot === undefined || !isComplete(snapshot))
      throw this.#unsignable('was not read completely')
    return this.#withSignature(changes, rowOf(snapshot))
  }

  override checkMerge(
    _entity: Entity,
    snapshot: Snapshot | undefined,
    etag: string | undefined,
  ): RowCheck | undefined {
    const known = snapshot?.etag
    if (known !== undefined && etag === known) return undefined
    const error = this.#unsignable('is not merged with the ETag that it was read with')
    if (etag === undefined || etag === '*') throw error
    // The row may have changed since, and the service says that better.
    return neverPasses(error)
  }

  /** Rejects a projection, because a signature covers the whole entity. */
  override read(raw: RawEntity, etag?: string, origin?: RowOrigin, isPart?: boolean): Entity {
    if (isPart) throw signatureError(this.#className, raw, { failure: 'partial' })
    verifyEntity(this.#keys, raw, this.#className)
    return super.read(raw, etag, origin)
  }

  override reveal(raw: RawEntity): RawEntity {
    verifyEntity(this.#keys, raw, this.#className)
    return super.reveal(raw)
  }

  /** Signs the result of a merge, which depends on the stored entity. */
  #withSignature(body: string, before: RawEntity): string {
    const { property } = this.#keys
    const whole = afterMerge(before, body)
    const signature = this.#keys.sign(canonicalEntity(whole, property))
    return `${body.slice(0, -1)}${memberJson(memberText(property), 'Binary', signature)}}`
  }

  #unsignable(problem: string): InputError {
    return mapperInputError({
      code: 'UnsignableMerge',
      message:
        `This ${this.#className} ${problem}, so the result of the merge is unknown, but the ` +
        'signature must cover it. Read the entity and merge it with its own ETag, or use replace ' +
        'or insertOrReplace.',
    })
  }
}

/** The options of {@link signingKeys}. */
export interface SigningKeysOptions extends KeyRingOptions {
  /**
   * The property of the signature. The class must not store another value under that name.
   *
   * @defaultValue `'Signature'`
   */
  readonly property?: string | undefined
  /**
   * Whether a stored entity without a signature is rejected (`'reject'`) or read (`'read'`). Use `'read'`
   * while you sign an existing table. With `'read'`, a removed signature is not detected.
   *
   * @defaultValue `'reject'`
   */
  readonly unsigned?: 'reject' | 'read' | undefined
}

const OPTION_NAMES: OptionNames<SigningKeysOptions> = {
  current: true,
  keys: true,
  property: true,
  unsigned: true,
}

const RULE: KeyRule = { ring: 'signingKeys', length: 32, orMore: true }

/**
 * The keys that sign the entities of a class, one of them current, from {@link signingKeys}.
 *
 * The keys never appear in a console, in JSON, or in the message or stack of an error.
 */
export class SigningKeys {
  readonly #ring: KeyRing
  readonly #header: Uint8Array
  /** The property of the signature. */
  readonly property: string
  /** Whether entities without a signature are read. */
  readonly readsUnsigned: boolean

  /**
   * @throws InputError (`InvalidKeyRing`) for invalid keys
   * @throws InputError (`InvalidPropertyName`) for an invalid name of the property
   */
  constructor({ property = 'Signature', unsigned, ...ring }: SigningKeysOptions) {
    checkCustomPropertyName(property)
    this.#ring = new KeyRing(ring, RULE)
    this.#header = encodeHeader('HMAC-SHA-256', this.#ring.current)
    this.property = property
    this.readsUnsigned =
      readChoice(unsigned, ['reject', 'read'], 'unsigned of signingKeys') === 'read'
  }

  /** The id of the key that signs entities. */
  get current(): string {
    return this.#ring.current
  }

  /** The ids of all keys. */
  get ids(): readonly string[] {
    return this.#ring.ids
  }

  /**
   * Signs with the current key.
   *
   * @internal
   */
  sign(content: Uint8Array): Uint8Array {
    return joinBytes(this.#header, codeOf(this.#ring.currentKey, this.#header, content))
  }

  /**
   * Checks whether a signature is valid for the content, with any key of the ring.
   *
   * @returns the fault; `undefined` for a valid signature
   * @internal
   */
  findFault(signature: Uint8Array, content: Uint8Array): SignatureFinding | undefined {
    const header = decodeHeader('HMAC-SHA-256', signature)
    if (header === undefined) return { failure: 'malformed' }
    const { keyId, length } = header
    const key = this.#ring.find(keyId)
    if (key === undefined) return { failure: 'unknownKey', keyId }
    const expected = codeOf(key, signature.subarray(0, length), content)
    // In constant time, so that the time does not show where they differ.
    const same = equalBytes(expected, signature.subarray(length))
    return same ? undefined : { failure: 'tampered', keyId }
  }

  /**
   * Makes the codec that signs and verifies entities. The keys bring this code, so that bundlers leave it
   * out of a program without signatures.
   *
   * @param codec - writes and reads the entities, without the signature
   * @param className - the class, for messages
   * @internal
   */
  signedCodec<Entity extends object>(codec: RowCodec<Entity>, className: string): RowCodec<Entity> {
    return new SignedCodec({ codec, className, keys: this })
  }
}

/**
 * Makes the signing keys of a class. Entities are signed with HMAC-SHA-256 over everything that is
 * stored; docs/encryption.md describes the signed bytes.
 *
 * @param options - the keys by their ids, each of 32 random bytes or more, and the id of the current one
 * @throws InputError (`InvalidKeyRing`) for invalid keys
 * @throws InputError (`InvalidPropertyName`) when `property` is not a valid name
 * @throws InputError (`UnknownOption`) for an unknown option
 *
 * @example
 * ```ts
 * const signing = signingKeys({ current: 's1', keys: { s1: process.env.SIGNING_KEY! } })
 * ```
 */
export function signingKeys(options: SigningKeysOptions): SigningKeys {
  checkOptions(options, OPTION_NAMES, 'signingKeys')
  return new SigningKeys(options)
}

function codeOf(key: Uint8Array, header: Uint8Array, content: Uint8Array): Uint8Array {
  return hmacSha256(key, joinBytes(header, content))
}
