import { isSlugId, isUuid, slugIdOfUuid, uuidOfSlugId } from './slug-id.ts'
import { BaseValueType } from './value-types.ts'

/** A UUID, stored as Guid. Keys and comparisons use it in lower case. */
export class UUIDType extends BaseValueType<string> {
  protected override readonly edmType = 'Guid'
  protected override readonly expected = 'a UUID such as f47ac10b-58cc-4372-a567-0e02b2c3d479'

  protected override accepts(value: unknown): value is string {
    return isUuid(value)
  }

  override equal(one: string, other: string): boolean {
    return isUuid(one) && isUuid(other) && one.toLowerCase() === other.toLowerCase()
  }

  override string(value: string): string {
    this.validate(value)
    return value.toLowerCase()
  }
}

/** A slugid, which is a random UUID as 22 characters, stored as Guid. */
export class SlugIdType extends BaseValueType<string> {
  protected override readonly edmType = 'Guid'
  protected override readonly expected = 'a slugid such as nvItOmAyRiOvSSWCAHkobQ'

  protected override accepts(value: unknown): value is string {
    return isSlugId(value)
  }

  protected override toStored(value: string): string {
    return uuidOfSlugId(value)
  }

  protected override toOperand(value: string): string {
    return uuidOfSlugId(value)
  }

  protected override fromStored(stored: unknown): unknown {
    return isUuid(stored) ? slugIdOfUuid(stored) : stored
  }
}
