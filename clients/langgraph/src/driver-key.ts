/** In `configurable`: by which driver a run is driven. Inherited by subgraphs, tasks and tools. */
export const DRIVER_KEY = "interlude_driver";
