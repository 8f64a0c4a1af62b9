import { journeysIn } from '@ostiary/server/journeys'

export default journeysIn(import.meta.dirname)
