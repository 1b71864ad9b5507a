import { beforeEach, expect, test, vi } from "vitest";
import { checkPicture, squareOf } from "@/features/profile/picture";

const revoke = vi.fn();
let canDecode: boolean;

beforeEach(() => {
  canDecode = true;
  revoke.mockClear();
  URL.createObjectURL = () => "blob:chosen";
  URL.revokeObjectURL = revoke;
  HTMLImageElement.prototype.decode = async () => {
    if (!canDecode) {
      throw new DOMException("The source image cannot be decoded.", "EncodingError");
    }
  };
  vi.spyOn(HTMLImageElement.prototype, "naturalWidth", "get").mockReturnValue(1200);
  vi.spyOn(HTMLImageElement.prototype, "naturalHeight", "get").mockReturnValue(800);
});

const aFile = (name: string, type: string) => new File(["x"], name, { type });

test("a picture that decodes is taken, and its address given back", async () => {
  await checkPicture(aFile("me.jpg", "image/jpeg"));
  expect(revoke).toHaveBeenCalledWith("blob:chosen");
});

test("what is no image is refused before it is decoded", async () => {
  await expect(checkPicture(aFile("goal.mp4", "video/mp4"))).rejects.toThrow(
    "Please choose an image file.",
  );
});

test("a damaged picture is refused kindly and its address given back", async () => {
  canDecode = false;

  await expect(checkPicture(aFile("me.png", "image/png"))).rejects.toThrow(
    "This picture could not be opened. Please choose another one.",
  );
  expect(revoke).toHaveBeenCalledWith("blob:chosen");
});

test.each([
  ["IMG_1.HEIC", ""],
  ["a", "image/heif"],
])("HEIC (%s %s) is told apart where the browser cannot open it", async (name, type) => {
  canDecode = false;

  await expect(checkPicture(aFile(name, type))).rejects.toThrow(
    "This browser cannot open HEIC pictures. Please choose a JPEG or PNG, or a screenshot of it.",
  );
});

function canvasThatWrites(...types: string[]) {
  const drawImage = vi.fn();
  const pencil = { fillRect: vi.fn(), drawImage };
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(pencil as never);
  const toBlob = vi
    .spyOn(HTMLCanvasElement.prototype, "toBlob")
    .mockImplementation((give, asked = "image/png") => {
      give(new Blob(["x"], { type: types.includes(asked) ? asked : "image/png" }));
    });
  return { drawImage, toBlob };
}

test("the square is cut at the picture's own size and made 512 pixels at most", async () => {
  const { drawImage } = canvasThatWrites("image/webp");
  const image = new Image();

  const file = await squareOf(image, { x: 25, y: 10, width: 60, height: 90 });

  expect(drawImage).toHaveBeenCalledWith(image, 300, 80, 720, 720, 0, 0, 512, 512);
  expect(file).toMatchObject({ name: "avatar.webp", type: "image/webp" });
});

test("a small square is not blown up, and a browser without WebP writes JPEG", async () => {
  const { drawImage } = canvasThatWrites("image/jpeg");

  const file = await squareOf(new Image(), { x: 0, y: 0, width: 10, height: 15 });

  expect(drawImage.mock.calls[0]?.slice(-2)).toEqual([120, 120]);
  expect(file).toMatchObject({ name: "avatar.jpg", type: "image/jpeg" });
});

test("a canvas that gives nothing is said and not sent", async () => {
  canvasThatWrites();
  vi.spyOn(HTMLCanvasElement.prototype, "toBlob").mockImplementation((give) => give(null));

  await expect(squareOf(new Image(), { x: 0, y: 0, width: 10, height: 10 })).rejects.toThrow(
    "This picture could not be cropped. Please choose another one.",
  );
});
