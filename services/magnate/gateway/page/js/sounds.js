// The unit's sounds, made on the spot. A browser lets a page sound only after somebody touched it.

import { settings } from "./settings.js";

const LOUDNESS = [0, 0.25, 0.55, 1];

// Each sound is a list of notes: [start, length, pitch in Hz, wave, loudness].
const NOTES = {
  SOUND_KEY: [[0, 0.035, 1900, "square", 0.06]],
  SOUND_CARD: [
    [0, 0.05, 740, "triangle", 0.22],
    [0.05, 0.07, 990, "triangle", 0.22],
  ],
  SOUND_BOOKED: [
    [0, 0.09, 988, "triangle", 0.3],
    [0.09, 0.3, 1319, "triangle", 0.3],
    [0.09, 0.3, 1976, "sine", 0.12],
  ],
  SOUND_ERROR: [
    [0, 0.16, 196, "sawtooth", 0.16],
    [0.2, 0.26, 147, "sawtooth", 0.16],
  ],
  SOUND_RESET: [[0, 0.55, 880, "square", 0.1]],
  SOUND_VOLUME: [[0, 0.08, 1200, "triangle", 0.25]],
  SOUND_TICK: [[0, 0.03, 1400, "square", 0.09]],
  SOUND_FANFARE: [
    [0, 0.13, 523, "triangle", 0.3],
    [0.14, 0.13, 659, "triangle", 0.3],
    [0.28, 0.13, 784, "triangle", 0.3],
    [0.42, 0.55, 1047, "triangle", 0.32],
    [0.42, 0.55, 1319, "sine", 0.16],
  ],
};

let context = null;

/** Makes ready to sound; call it from a press. */
export function wakeSounds() {
  if (!settings.sound || !globalThis.AudioContext) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => {});
}

/** Sounds what the unit sounded, as loud as the unit is set. */
export function play(sounds, volume) {
  if (!settings.sound || !context || context.state !== "running") return;
  const loudness = LOUDNESS[Math.min(3, volume)];
  let start = context.currentTime + 0.005;
  for (const sound of sounds) {
    const notes = NOTES[sound] ?? [];
    for (const note of loudness ? notes : []) playNote(note, start, loudness);
    start += notes.length && notes !== NOTES.SOUND_KEY ? 0.12 : 0.05;
  }
}

function playNote([offset, length, pitch, wave, loud], start, loudness) {
  const tone = context.createOscillator();
  const gain = context.createGain();
  const begin = start + offset;
  tone.type = wave;
  tone.frequency.value = pitch;
  gain.gain.setValueAtTime(0, begin);
  gain.gain.linearRampToValueAtTime(loud * loudness, begin + 0.006);
  gain.gain.exponentialRampToValueAtTime(0.0001, begin + length);
  tone.connect(gain).connect(context.destination);
  tone.start(begin);
  tone.stop(begin + length + 0.02);
}
